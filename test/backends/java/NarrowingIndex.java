import de.bwaldvogel.mongo.backend.AbstractUniqueIndex;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Map.Entry;
import java.util.concurrent.ConcurrentMap;

/**
 * A unique index that also serves queries with conditions beside its own keys; the server's own refuse those and look
 * at every document instead.
 */
final class NarrowingIndex<P> extends AbstractUniqueIndex<P> {
    private final ConcurrentMap<KeyValue, P> positions;

    NarrowingIndex(String name, List<IndexKey> keys, boolean sparse, ConcurrentMap<KeyValue, P> positions) {
        super(name, keys, sparse);
        this.positions = positions;
    }

    @Override
    public synchronized boolean canHandle(Document query) {
        return super.canHandle(own(query));
    }

    @Override
    public synchronized Iterable<P> getPositions(Document query) {
        return super.getPositions(own(query));
    }

    /** The query without what the index doesn't know; the server checks the documents against all of it afterwards. */
    private Document own(Document query) {
        Document own = new Document();
        for (String key : keys()) {
            if (query.containsKey(key)) {
                own.put(key, query.get(key));
            }
        }
        return own;
    }

    @Override
    protected P removeDocument(KeyValue key) {
        return positions.remove(key);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected boolean putKeyPosition(KeyValue key, P position) {
        // A position in a file may be null, where the document's _id is; maps take none.
        return positions.putIfAbsent(key, position == null ? (P) Missing.getInstance() : position) == null;
    }

    @Override
    protected P getPosition(KeyValue key) {
        return positions.get(key);
    }

    @Override
    protected Iterable<Entry<KeyValue, P>> getIterable() {
        return positions.entrySet();
    }

    @Override
    public long getCount() {
        return positions.size();
    }

    @Override
    public long getDataSize() {
        return getCount();
    }
}
