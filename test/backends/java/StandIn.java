import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.AbstractMongoBackend;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.backend.memory.MemoryCollection;
import de.bwaldvogel.mongo.backend.memory.MemoryDatabase;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.h2.mvstore.MVStore;

/** Runs the stand-in for MongoDB: {@code StandIn <port> [<file>]}. Without a file the data are in memory. */
public final class StandIn {
    /** The oldest version that current drivers support. */
    private static final MongoVersion VERSION = new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
            return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
            return 13;
        }
    };

    public static void main(String[] args) throws InterruptedException {
        AbstractMongoBackend backend = args.length > 1 ? inFile(args[1]) : inMemory();
        backend.version(VERSION);
        // Answers are written from live documents, which a second worker could change at the same time. With one worker
        // a commit also never occurs in the middle of another command.
        new MongoServer(backend).bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 1, 1);
        Thread.currentThread().join();
    }

    private static AbstractMongoBackend inMemory() {
        return new MemoryBackend() {
            @Override
            public MemoryDatabase openOrCreateDatabase(String name) {
                return new MemoryDatabase(name, getCursorRegistry()) {
                    @Override
                    protected Index<Integer> openOrCreateUniqueIndex(
                            String collection, String index, List<IndexKey> keys, boolean sparse) {
                        return new NarrowingIndex<>(index, keys, sparse, new ConcurrentHashMap<>());
                    }

                    @Override
                    protected Index<Integer> openOrCreateSecondaryIndex(
                            String collection, String index, List<IndexKey> keys, boolean sparse) {
                        return new OrderedIndex<>(index, keys, sparse);
                    }

                    @Override
                    protected MemoryCollection openOrCreateCollection(String collection, CollectionOptions options) {
                        return new MemoryCollection(this, collection, options, cursorRegistry) {
                            @Override
                            protected QueryResult queryDocuments(
                                    Document query, Document orderBy, int skip, int limit, int batch, Document fields) {
                                Stream<Integer> sorted = sortedPositions(getIndexes(), query, orderBy);
                                return sorted == null
                                        ? super.queryDocuments(query, orderBy, skip, limit, batch, fields)
                                        : matchDocumentsFromStream(
                                                sorted.map(this::getDocument), query, null, skip, limit, batch, fields);
                            }
                        };
                    }
                };
            }
        };
    }

    /**
     * Returns the documents that the index of a query has in the order of the query, so that they are read up to its limit, as
     * MongoDB does. The server collects and sorts all that an index finds. Null if it has to.
     */
    private static <P> Stream<P> sortedPositions(List<Index<P>> indexes, Document query, Document orderBy) {
        boolean isUnordered = orderBy == null || orderBy.isEmpty();
        Iterable<P> sorted = null;
        for (OrderedIndex<P> index : indexesOf(indexes, query)) {
            if (sorted == null) {
                sorted = isUnordered ? index.getPositionsInTurn(query) : index.getSortedPositions(query, orderBy);
            }
        }
        return sorted == null ? null : StreamSupport.stream(sorted.spliterator(), false);
    }

    /**
     * Returns the indexes that begin with the first field of a query for which there is one. MongoDB tries several indexes and
     * takes the fastest; a query for this server names the field first whose index is to be read.
     */
    private static <P> List<OrderedIndex<P>> indexesOf(List<Index<P>> indexes, Document query) {
        // A unique one finds one document.
        if (indexes.stream().anyMatch(index -> !(index instanceof OrderedIndex) && index.canHandle(query))) {
            return List.of();
        }
        for (String field : query.keySet()) {
            List<OrderedIndex<P>> found = new ArrayList<>();
            for (Index<P> index : indexes) {
                if (index instanceof OrderedIndex
                        && index.canHandle(query)
                        && ((OrderedIndex<P>) index).beginsWith(field)) {
                    found.add((OrderedIndex<P>) index);
                }
            }
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    private static AbstractMongoBackend inFile(String file) {
        // Only handleMessage commits, so the file contains every acknowledged command and no partial one. Unused chunks are
        // overwritten immediately, because no test simulates a power failure.
        MVStore store =
                new MVStore.Builder().fileName(file).autoCommitDisabled().autoCommitBufferSize(256 * 1024).open();
        store.setRetentionTime(0);
        return new H2Backend(store) {
            @Override
            protected MongoDatabase openOrCreateDatabase(String name) {
                return new H2Database(name, store, getCursorRegistry()) {
                    @Override
                    protected Index<Object> openOrCreateUniqueIndex(
                            String collection, String index, List<IndexKey> keys, boolean sparse) {
                        // H2Database removes the map by this name.
                        String map = getDatabaseName() + "." + collection + "._index_" + index;
                        return new NarrowingIndex<>(index, keys, sparse, store.openMap(map));
                    }

                    @Override
                    protected Index<Object> openOrCreateSecondaryIndex(
                            String collection, String index, List<IndexKey> keys, boolean sparse) {
                        return new OrderedIndex<>(index, keys, sparse);
                    }

                    @Override
                    protected H2Collection openOrCreateCollection(String collection, CollectionOptions options) {
                        String full = getDatabaseName() + "." + collection;
                        return new H2Collection(
                                this,
                                collection,
                                options,
                                store.openMap("databases." + full),
                                store.openMap("meta." + full),
                                cursorRegistry) {
                            @Override
                            protected QueryResult queryDocuments(
                                    Document query, Document orderBy, int skip, int limit, int batch, Document fields) {
                                Stream<Object> sorted = sortedPositions(getIndexes(), query, orderBy);
                                return sorted == null
                                        ? super.queryDocuments(query, orderBy, skip, limit, batch, fields)
                                        : matchDocumentsFromStream(
                                                sorted.map(this::getDocument), query, null, skip, limit, batch, fields);
                            }
                        };
                    }
                };
            }

            @Override
            public Document handleMessage(MongoMessage message) {
                try {
                    return super.handleMessage(message);
                } finally {
                    store.commit();
                }
            }
        };
    }
}
