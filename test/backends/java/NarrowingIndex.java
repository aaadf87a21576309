import de.bwaldvogel.mongo.backend.AbstractUniqueIndex;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Map.Entry;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;

/**
 * A unique index that also serves queries with conditions on other fields than its keys. The server's own indexes reject
 * such queries, and the server then scans all documents.
 */
final class NarrowingIndex<P> extends AbstractUniqueIndex<P> {
    private final ConcurrentMap<KeyValue, P> positions;

    /** The server makes these again for each use of a document. */
    private final List<String> names;
    private final Set<String> nameSet;

    NarrowingIndex(String name, List<IndexKey> keys, boolean sparse, ConcurrentMap<KeyValue, P> positions) {
        super(name, keys, sparse);
        this.positions = positions;
        names = super.keys();
        nameSet = super.keySet();
    }

    @Override
    protected List<String> keys() {
        return names;
    }

    @Override
    protected Set<String> keySet() {
        return nameSet;
    }

    @Override
    public synchronized boolean canHandle(Document query) {
        // The server needs a condition on each key, which most queries lack.
        return query.keySet().containsAll(names) && super.canHandle(narrowed(query));
    }

    @Override
    public synchronized Iterable<P> getPositions(Document query) {
        return super.getPositions(narrowed(query));
    }

    /** Returns the conditions on keys of this index. The server then checks the documents against the whole query. */
    private Document narrowed(Document query) {
        Document narrowed = new Document();
        for (String key : keys()) {
            if (query.containsKey(key)) {
                narrowed.put(key, query.get(key));
            }
        }
        return narrowed;
    }

    @Override
    protected P removeDocument(KeyValue key) {
        return positions.remove(key);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected boolean putKeyPosition(KeyValue key, P position) {
        // In a file the position is null if the document's _id is null. Maps do not accept null.
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
