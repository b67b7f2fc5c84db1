package io.torussm.daemon.http.api;

import io.torussm.mad.Guid;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The parameters of an address that select items of a list. A parameter has the name of a text component of the items,
 * and the required value, with {@code *} as wildcard: {@code place=2,*,0} selects a line of a torus. Parameter {@code
 * guid} compares all GUIDs of an item, {@code name} all names of devices. Any thread.
 */
final class Filters {
    /** The parameters that select a page of a list. */
    static final Set<String> PAGE = Set.of("offset", "limit");

    private static final Set<String> NAMES = Set.of("name", "device", "from", "to", "near", "far");
    private static final String GUID = "guid";
    private static final String NAME = "name";
    private static final int MAX_TEXT = 256;

    private Filters() {}

    /** Returns the parameters for items of a type, each with the components that it compares. */
    static Map<String, List<RecordComponent>> of(Class<?> type) {
        Map<String, List<RecordComponent>> all = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getType() == String.class || component.getType().isEnum()) {
                all.put(component.getName(), List.of(component));
            }
        }
        alias(all, GUID, component -> isGuid(component.getName()));
        alias(all, NAME, component -> NAMES.contains(component.getName()));
        return all;
    }

    private static void alias(Map<String, List<RecordComponent>> all, String name, Predicate<RecordComponent> isMeant) {
        List<RecordComponent> components =
                all.values().stream().map(each -> each.get(0)).filter(isMeant).toList();
        if (!components.isEmpty()) {
            all.put(name, components);
        }
    }

    private static boolean isGuid(String component) {
        return component.toLowerCase(Locale.ROOT).endsWith(GUID);
    }

    /**
     * Returns the items that match all parameters.
     *
     * @throws IllegalArgumentException if a parameter is unknown
     */
    static <T> List<T> filter(List<T> items, Class<?> type, Map<String, String> parameters) {
        Map<String, List<RecordComponent>> parametersOfType = of(type);
        List<T> chosen = items;
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            List<RecordComponent> components = parametersOfType.get(parameter.getKey());
            if (PAGE.contains(parameter.getKey())) {
                continue;
            } else if (components == null || parameter.getValue().length() > MAX_TEXT) {
                throw new IllegalArgumentException("this list is chosen from by offset, limit"
                        + parametersOfType.keySet().stream()
                                .map(name -> ", " + name)
                                .reduce("", String::concat));
            }
            Predicate<String> isWanted = matcher(parameter.getKey(), parameter.getValue());
            chosen = chosen.stream()
                    .filter(item -> components.stream().anyMatch(component -> isWanted.test(text(component, item))))
                    .toList();
        }
        return chosen;
    }

    private static Predicate<String> matcher(String name, String value) {
        OptionalLong guid = isGuid(name) ? Guid.parseAnyForm(value) : OptionalLong.empty();
        if (guid.isPresent()) {
            String written = Guid.format(guid.getAsLong());
            return written::equals;
        }
        String glob = name.equals("place") && !value.startsWith("(") && value.contains(",") ? "(" + value + ")" : value;
        Pattern pattern = Pattern.compile(
                String.join(
                        ".*",
                        Arrays.stream(glob.split("\\*", -1)).map(Pattern::quote).toList()),
                Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
        return text -> pattern.matcher(text).matches();
    }

    private static String text(RecordComponent component, Object item) {
        try {
            component.getAccessor().setAccessible(true);
            return String.valueOf(component.getAccessor().invoke(item));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("every record shows its components", e);
        }
    }
}
