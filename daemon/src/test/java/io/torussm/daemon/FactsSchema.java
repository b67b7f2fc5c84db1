package io.torussm.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The schema of responses of the console, as JSON Schema (2020-12), and a check of responses against it. */
final class FactsSchema {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Map<Type, String> PLAIN = Map.ofEntries(
            Map.entry(String.class, "string"),
            Map.entry(boolean.class, "boolean"),
            Map.entry(Boolean.class, "boolean"),
            Map.entry(int.class, "integer"),
            Map.entry(Integer.class, "integer"),
            Map.entry(long.class, "integer"),
            Map.entry(Long.class, "integer"),
            Map.entry(double.class, "number"),
            Map.entry(Double.class, "number"));

    private final ObjectNode definitions = NODES.objectNode();

    /** Returns the definitions of all records so far, by name. */
    JsonNode definitions() {
        ObjectNode sorted = NODES.objectNode();
        new TreeSet<>(names(definitions)).forEach(name -> sorted.set(name, definitions.get(name)));
        return sorted;
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Defines a record, and returns its name: that of its class and of the classes around it. */
    String define(Class<?> type) {
        String name =
                type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
        if (definitions.has(name)) {
            return name;
        }
        ObjectNode schema = definitions.putObject(name);
        schema.put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (RecordComponent component : type.getRecordComponents()) {
            properties.set(component.getName(), schema(component.getAnnotatedType()));
            schema.withArray("required").add(component.getName());
        }
        return name;
    }

    private ObjectNode schema(AnnotatedType annotated) {
        ObjectNode schema = schemaOf(annotated);
        if (!annotated.isAnnotationPresent(Nullable.class)) {
            return schema;
        }
        ObjectNode nullable = NODES.objectNode();
        nullable.withArray("anyOf").add(schema).addObject().put("type", "null");
        return nullable;
    }

    private ObjectNode schemaOf(AnnotatedType annotated) {
        ObjectNode schema = NODES.objectNode();
        Type type = annotated.getType();
        if (annotated instanceof AnnotatedParameterizedType parameterized
                && type instanceof ParameterizedType generic
                && generic.getRawType() instanceof Class<?> raw) {
            AnnotatedType[] of = parameterized.getAnnotatedActualTypeArguments();
            if (raw == List.class) {
                schema.put("type", "array").set("items", schema(of[0]));
            } else if (raw == Map.class && of[0].getType() == String.class) {
                schema.put("type", "object").set("additionalProperties", schema(of[1]));
            } else {
                throw new IllegalArgumentException("no JSON is known of " + type);
            }
        } else if (PLAIN.containsKey(type)) {
            schema.put("type", PLAIN.get(type));
        } else if (type == Instant.class) {
            schema.put("type", "string").put("format", "date-time");
        } else if (type instanceof Class<?> plain && plain.isRecord()) {
            schema.put("$ref", "#/$defs/" + define(plain));
        } else if (type instanceof Class<?> plain && plain.isEnum()) {
            schema.put("type", "string");
            Arrays.stream(plain.getEnumConstants())
                    .forEach(each -> schema.withArray("enum").add(((Enum<?>) each).name()));
        } else {
            throw new IllegalArgumentException("no JSON is known of " + type);
        }
        return schema;
    }

    /** Returns the places at which a document differs from a definition, by path; empty if it does not. */
    List<String> violations(JsonNode document, String name) {
        if (!definitions.has(name)) {
            return List.of(name + " is no kind of answer");
        }
        List<String> found = new ArrayList<>();
        check(document, NODES.objectNode().put("$ref", "#/$defs/" + name), name, found);
        return found;
    }

    private void check(JsonNode value, JsonNode schema, String at, List<String> found) {
        if (schema.has("$ref")) {
            check(value, definitions.get(schema.get("$ref").asText().replace("#/$defs/", "")), at, found);
        } else if (schema.has("anyOf")) {
            if (!value.isNull()) {
                check(value, schema.get("anyOf").get(0), at, found);
            }
        } else if (!isOf(value, schema)) {
            found.add(at + " is "
                    + value.toString()
                            .substring(0, Math.min(60, value.toString().length())));
        } else if (value.isArray()) {
            value.forEach(item -> check(item, schema.get("items"), at + "[]", found));
        } else if (schema.has("properties")) {
            Set<String> required = names(schema.get("properties"));
            if (!names(value).equals(required)) {
                found.add(at + " has " + names(value) + ", not " + required);
            }
            required.forEach(
                    each -> check(value.path(each), schema.get("properties").get(each), at + "." + each, found));
        } else if (schema.has("additionalProperties")) {
            value.forEach(each -> check(each, schema.get("additionalProperties"), at + ".*", found));
        }
    }

    private static boolean isOf(JsonNode value, JsonNode schema) {
        boolean isType =
                switch (schema.get("type").asText()) {
                    case "string" -> value.isTextual();
                    case "boolean" -> value.isBoolean();
                    case "integer" -> value.isIntegralNumber();
                    case "number" -> value.isNumber();
                    case "array" -> value.isArray();
                    default -> value.isObject();
                };
        boolean isListed = !schema.has("enum")
                || StreamSupport.stream(schema.get("enum").spliterator(), false).anyMatch(value::equals);
        return isType && isListed && (!schema.has("format") || isTime(value.asText()));
    }

    private static boolean isTime(String text) {
        return text.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    }

    /** Strings that are numbers, by path: to a program they are no numbers. */
    static List<String> numbersAsText(JsonNode value, String at) {
        List<String> found = new ArrayList<>();
        if (value.isTextual() && value.asText().matches("-?\\d+(\\.\\d+)?|true|false")) {
            found.add(at + " is \"" + value.asText() + "\"");
        }
        value.elements().forEachRemaining(each -> {
            if (value.isArray()) {
                found.addAll(numbersAsText(each, at + "[]"));
            }
        });
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            found.addAll(numbersAsText(field.getValue(), at + "." + field.getKey()));
        }
        return found;
    }
}
