import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * An index that is not unique. The server has none and scans all documents instead. Like a B-tree, it serves equality on
 * its first keys and a range on the next one, and returns documents in the order of its keys. The server then checks the
 * documents against the whole query, so an index that returns too many is slow but correct. It is always in memory and is
 * rebuilt when a file is opened.
 */
final class OrderedIndex<P> extends Index<P> {
    private static final Object BELOW_ALL = new Object();
    private static final Object ABOVE_ALL = new Object();

    /** Positions by the values of all keys, then by the _id of the document. */
    private final TreeMap<List<Object>, Map<Object, P>> entries = new TreeMap<>(OrderedIndex::compareKeys);

    /** Documents without an entry, such as those with an empty array under a key. Every answer contains them. */
    private final Map<Object, P> loose = new HashMap<>();

    /** Whether a document ever had several entries. */
    private boolean hasArrays;

    /** Keys under which a document ever had an array. */
    private final Set<String> arrayKeys = new HashSet<>();

    /** The server makes this list again for each use of a document. */
    private final List<String> names;

    /** Each key as the names on its path. */
    private final List<String[]> paths;

    OrderedIndex(String name, List<IndexKey> keys, boolean sparse) {
        super(name, keys, sparse);
        names = super.keys();
        paths = names.stream().map(key -> key.split("\\.")).collect(Collectors.toUnmodifiableList());
    }

    @Override
    protected List<String> keys() {
        return names;
    }

    @Override
    public synchronized boolean canHandle(Document query) {
        String first = keys().get(0);
        return isEquality(query, first) || bound(query, first, "$gt") != null || bound(query, first, "$lt") != null;
    }

    @Override
    public synchronized Iterable<P> getPositions(Document query) {
        Set<P> positions = new LinkedHashSet<>(loose.values());
        range(query).values().forEach(entry -> positions.addAll(entry.values()));
        return positions;
    }

    boolean beginsWith(String key) {
        return keys().get(0).equals(key);
    }

    /** Returns the positions for a query, each once, read as they are asked for. Until then nothing may change the index. */
    synchronized Iterable<P> getPositionsInTurn(Document query) {
        return () -> Stream.concat(loose.values().stream(), inTurn(range(query))).distinct().iterator();
    }

    /**
     * Returns the positions for a query in its order, read as they are asked for, or null if this index has another order. It has
     * the order if that begins after the keys with an equality. Documents without an entry have an array under one of these,
     * and match no equality.
     */
    synchronized Iterable<P> getSortedPositions(Document query, Document orderBy) {
        List<String> same = new ArrayList<>();
        for (String key : keys()) {
            if (!isEquality(query, key)) {
                break;
            }
            same.add(key);
        }
        List<String> order = new ArrayList<>(orderBy.keySet());
        order.removeAll(same);
        List<String> next = keys().subList(same.size(), keys().size());
        boolean isOrder = next.size() >= order.size() && next.subList(0, order.size()).equals(order);
        boolean isDescending = isDescending(orderBy, order);
        boolean isOneDirection = order.stream().allMatch(key -> isDescending(orderBy, List.of(key)) == isDescending);
        if (!isOrder || !isOneDirection || !same.containsAll(arrayKeys)) {
            return null;
        }
        NavigableMap<List<Object>, Map<Object, P>> range = range(query);
        NavigableMap<List<Object>, Map<Object, P>> sorted = isDescending ? range.descendingMap() : range;
        return () -> inTurn(sorted).iterator();
    }

    private static <P> Stream<P> inTurn(NavigableMap<List<Object>, Map<Object, P>> part) {
        // The stream of a part of a map would count its entries first.
        Iterator<Map<Object, P>> entries = part.values().iterator();
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(entries, Spliterator.ORDERED), false)
                .flatMap(entry -> entry.values().stream());
    }

    private static boolean isDescending(Document orderBy, List<String> order) {
        return !order.isEmpty() && orderBy.get(order.get(0)) instanceof Number
                && ((Number) orderBy.get(order.get(0))).intValue() < 0;
    }

    /** Returns the part of the index that has every document of a query, apart from those without an entry. */
    private NavigableMap<List<Object>, Map<Object, P>> range(Document query) {
        List<Object> low = new ArrayList<>();
        for (String key : keys()) {
            if (!isEquality(query, key)) {
                break;
            }
            low.add(query.get(key));
        }
        List<Object> high = new ArrayList<>(low);
        if (low.size() < keys().size()) {
            String next = keys().get(low.size());
            Object from = bound(query, next, "$gt");
            Object to = bound(query, next, "$lt");
            if (from != null) {
                low.add(from);
            }
            // Different elements of an array may satisfy the two bounds, so only one bound can narrow the range, unless
            // the query asks for one element.
            if (to != null && (from == null || !hasArrays || isOfOneElement(query, next))) {
                high.add(to);
            }
        }
        low.add(BELOW_ALL);
        high.add(ABOVE_ALL);
        return compareKeys(low, high) <= 0 ? entries.subMap(low, true, high, true) : new TreeMap<>();
    }

    /** Null is the value of fields that are absent, too. */
    private static boolean isEquality(Document query, String key) {
        return isPlain(query.get(key)) || query.containsKey(key) && query.get(key) == null;
    }

    /** Returns the operand of an operator or of its inclusive form, or null if the index cannot use it. */
    private static Object bound(Document query, String key, String operator) {
        if (!(query.get(key) instanceof Document)) {
            return null;
        }
        Document condition = (Document) query.get(key);
        if (isOfOneElement(query, key)) {
            condition = (Document) condition.get("$elemMatch");
        }
        Object operand = condition.getOrDefault(operator, condition.get(operator + "e"));
        return isPlain(operand) ? operand : null;
    }

    /** Whether a condition is about one element of an array. */
    private static boolean isOfOneElement(Document query, String key) {
        return query.get(key) instanceof Document && ((Document) query.get(key)).get("$elemMatch") instanceof Document;
    }

    private static boolean isPlain(Object value) {
        return !Missing.isNullOrMissing(value)
                && !(value instanceof Map || value instanceof Collection || value instanceof BsonRegularExpression);
    }

    private static int compareKeys(List<Object> one, List<Object> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            Object a = one.get(i);
            Object b = other.get(i);
            if (a == BELOW_ALL || b == ABOVE_ALL) {
                return a == b ? 0 : -1;
            }
            if (a == ABOVE_ALL || b == BELOW_ALL) {
                return 1;
            }
            int order = compareValues(a, b);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** The server's comparator finds the order of the types first, even if both values have the same type. */
    private static int compareValues(Object a, Object b) {
        if (a instanceof String && b instanceof String) {
            return ((String) a).compareTo((String) b);
        }
        if (a instanceof Integer && b instanceof Integer) {
            return ((Integer) a).compareTo((Integer) b);
        }
        return ValueComparator.ascWithoutListHandling().compare(a, b);
    }

    @Override
    public synchronized void add(Document document, P position, MongoCollection<P> collection) {
        Set<List<Object>> keys = keysOf(document);
        Object id = document.get("_id");
        keys.forEach(key -> entries.computeIfAbsent(key, none -> new HashMap<>(1)).put(id, position));
        if (keys.isEmpty()) {
            loose.put(id, position);
        }
        hasArrays |= keys.size() > 1;
        for (String key : keys()) {
            // A key with a dot may lead into an array.
            if (document.get(key) instanceof Collection || key.contains(".")) {
                arrayKeys.add(key);
            }
        }
    }

    @Override
    public synchronized P remove(Document document) {
        Object id = document.get("_id");
        P position = loose.remove(id);
        for (List<Object> key : keysOf(document)) {
            Map<Object, P> documents = entries.get(key);
            if (documents == null) {
                continue;
            }
            position = documents.remove(id);
            if (documents.isEmpty()) {
                entries.remove(key);
            }
        }
        return position;
    }

    @Override
    public synchronized P getPosition(Document document) {
        Object id = document.get("_id");
        for (List<Object> key : keysOf(document)) {
            Map<Object, P> documents = entries.get(key);
            return documents == null ? null : documents.get(id);
        }
        return loose.get(id);
    }

    /** Returns the keys of a document. The server's own function uses several times the CPU, so it does the rare cases only. */
    private Set<List<Object>> keysOf(Document document) {
        List<Object> values = new ArrayList<>(paths.size());
        int array = -1;
        for (String[] path : paths) {
            Object value = valueAt(document, path);
            boolean isArray = value instanceof Collection;
            if (isArray ? array >= 0 || !isPlainArray(value, path) : value != null && !isIndexedAsIs(value)) {
                return keysByServer(document);
            }
            array = isArray ? values.size() : array;
            values.add(value);
        }
        if (array < 0) {
            return Collections.singleton(values);
        }
        Set<List<Object>> keys = new LinkedHashSet<>();
        for (Object element : (Collection<?>) values.get(array)) {
            List<Object> key = new ArrayList<>(values);
            key.set(array, element);
            keys.add(key);
        }
        return keys;
    }

    private static boolean isPlainArray(Object value, String[] path) {
        Collection<?> elements = (Collection<?>) value;
        return path.length == 1 && !elements.isEmpty() && elements.stream().allMatch(OrderedIndex::isIndexedAsIs);
    }

    /** Whether the server indexes a value unchanged. It replaces a negative zero; values of rare types are left to it. */
    private static boolean isIndexedAsIs(Object value) {
        return value instanceof String
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Boolean
                || value instanceof Double && !value.equals(-0.0);
    }

    private Set<List<Object>> keysByServer(Document document) {
        Set<List<Object>> keys = new LinkedHashSet<>();
        for (KeyValue key : getKeyValues(document)) {
            List<Object> values = new ArrayList<>(names.size());
            key.forEach(value -> values.add(Missing.isNullOrMissing(value) ? null : value));
            keys.add(values);
        }
        return keys;
    }

    /** Returns the value under a key, or the first array on the path to it, or null if there is neither. */
    private static Object valueAt(Document document, String[] path) {
        Object value = document;
        for (String name : path) {
            if (!(value instanceof Document)) {
                return value instanceof Collection ? value : null;
            }
            value = ((Document) value).get(name);
        }
        return value;
    }

    @Override
    public void checkAdd(Document document, MongoCollection<P> collection) {
        checkArrays(document);
    }

    @Override
    public void checkUpdate(Document oldDocument, Document newDocument, MongoCollection<P> collection) {
        checkArrays(newDocument);
    }

    /** Throws if the document has arrays under two of the keys. */
    private void checkArrays(Document document) {
        if (paths.stream().filter(path -> valueAt(document, path) instanceof Collection).count() > 1) {
            getKeyValues(document);
        }
    }

    @Override
    public synchronized void updateInPlace(
            Document oldDocument, Document newDocument, P position, MongoCollection<P> collection) {
        if (!paths.stream().allMatch(path -> Objects.equals(valueAt(oldDocument, path), valueAt(newDocument, path)))) {
            remove(oldDocument);
            add(newDocument, position, collection);
        }
    }

    @Override
    public synchronized long getCount() {
        return entries.size() + loose.size();
    }

    @Override
    public long getDataSize() {
        return getCount();
    }

    @Override
    public synchronized void drop() {
        entries.clear();
        loose.clear();
    }
}
