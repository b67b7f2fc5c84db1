package io.torussm.daemon.http.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.torussm.daemon.http.Operation;
import io.torussm.daemon.http.Reply;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The description of {@link Resources} in OpenAPI 3.0, derived from their records. */
final class OpenApi {
    private static final Map<String, String> ERRORS = new TreeMap<>(Map.of(
            "400", "the request makes no sense",
            "401", "no valid token or certificate",
            "403", "another role is wanted",
            "409", "it cannot be done now",
            "429", "too many wrong tokens came from this address",
            "504", "it was begun, and is not done yet"));

    private final ObjectNode schemas;
    private final Map<String, Class<?>> defined = new HashMap<>();

    private OpenApi(ObjectNode schemas) {
        this.schemas = schemas;
    }

    /** Returns the whole document. */
    static JsonNode of(
            String version,
            Map<String, Class<?>> lists,
            Map<String, String> meanings,
            Map<String, Resources.Document> documents,
            List<Operation<?>> operations) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("openapi", "3.0.3");
        document.putObject("info").put("title", "TorusSM").put("version", version);
        ObjectNode paths = document.putObject("paths");
        ObjectNode components = document.putObject("components");
        OpenApi api = new OpenApi(components.putObject("schemas"));
        lists.forEach((name, type) ->
                api.list(paths.putObject(Resources.ROOT + name), meanings.getOrDefault(name, name), type));
        documents.forEach((name, each) -> api.document(paths.putObject(Resources.ROOT + name), each));
        operations.forEach(each -> api.operation(paths.withObjectProperty(each.path()), each));
        if (!operations.isEmpty()) {
            secure(document, components.putObject("securitySchemes"));
        }
        return document;
    }

    /** Adds authentication over HTTPS; the certificates of clients have no name in OpenAPI 3.0. */
    private static void secure(ObjectNode document, ObjectNode schemes) {
        for (String scheme : List.of("bearer", "basic")) {
            schemes.putObject(scheme).put("type", "http").put("scheme", scheme);
            document.withArrayProperty("security").addObject().putArray(scheme);
        }
    }

    private void operation(ObjectNode path, Operation<?> operation) {
        ObjectNode described = path.putObject(operation.method().toLowerCase(Locale.ROOT));
        described
                .put("summary", operation.meaning())
                .put("x-role", operation.role().label());
        operation.parts().forEach(name -> described
                .withArrayProperty("parameters")
                .addObject()
                .put("name", name)
                .put("in", "path")
                .put("required", true)
                .set("schema", schema(String.class)));
        if (operation.body() != Operation.Nothing.class) {
            described
                    .putObject("requestBody")
                    .put("required", true)
                    .putObject("content")
                    .putObject(Reply.JSON)
                    .set("schema", schema(operation.body()));
        }
        ObjectNode answers = described.putObject("responses");
        answers.putObject("2XX").put("description", "done, or begun");
        ERRORS.forEach((status, meaning) -> answers.putObject(status).put("description", meaning));
    }

    private void list(ObjectNode path, String meaning, Class<?> type) {
        ObjectNode get = path.putObject("get");
        get.put("summary", meaning);
        parameter(get, "offset", false, int.class);
        parameter(get, "limit", false, int.class);
        Filters.of(type).keySet().forEach(name -> parameter(get, name, false, String.class));
        ObjectNode page = page();
        page.withObject("properties").putObject("items").put("type", "array").set("items", schema(type));
        answers(get, "a page of the list; ETag names its content", page);
    }

    private void document(ObjectNode path, Resources.Document document) {
        ObjectNode get = path.putObject("get");
        get.put("summary", document.meaning());
        document.parameters().forEach(name -> parameter(get, name, true, String.class));
        answers(get, document.meaning(), schema(document.type()));
    }

    private void parameter(ObjectNode get, String name, boolean isWanted, Type type) {
        get.withArrayProperty("parameters")
                .addObject()
                .put("name", name)
                .put("in", "query")
                .put("required", isWanted)
                .set("schema", schema(type));
    }

    private static void answers(ObjectNode get, String meaning, ObjectNode schema) {
        ObjectNode answers = get.putObject("responses");
        answers.putObject("200")
                .put("description", meaning)
                .putObject("content")
                .putObject(Reply.JSON)
                .set("schema", schema);
        answers.putObject("400").put("description", "a parameter makes no sense");
        answers.putObject("503").put("description", "no subnet is up yet");
    }

    private ObjectNode page() {
        ObjectNode page = JsonNodeFactory.instance.objectNode().put("type", "object");
        ObjectNode properties = page.putObject("properties");
        Arrays.stream(Resources.Page.class.getRecordComponents())
                .filter(component -> !component.getName().equals("items"))
                .forEach(component -> properties.set(component.getName(), schema(component)));
        return page;
    }

    private ObjectNode schema(Type type) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        if (type instanceof ParameterizedType list
                && list.getRawType() instanceof Class<?> raw
                && Collection.class.isAssignableFrom(raw)) {
            schema.put("type", "array").set("items", schema(list.getActualTypeArguments()[0]));
        } else if (type instanceof ParameterizedType map && map.getRawType() == Map.class) {
            schema.put("type", "object").set("additionalProperties", schema(map.getActualTypeArguments()[1]));
        } else if (type == Instant.class) {
            schema.put("type", "string").put("format", "date-time").put("nullable", true);
        } else if (type instanceof Class<?> plain && plain.isRecord()) {
            define(plain);
            schema.put("$ref", "#/components/schemas/" + plain.getSimpleName());
        } else if (type instanceof Class<?> plain && plain.isEnum()) {
            schema.put("type", "string");
            Arrays.stream(plain.getEnumConstants())
                    .forEach(each -> schema.withArray("enum").add(each.toString()));
        } else if (type == double.class || type == Double.class) {
            schema.put("type", "number");
        } else if (type == boolean.class || type == Boolean.class) {
            schema.put("type", "boolean");
        } else {
            boolean isNumber = type == int.class || type == long.class || type == Integer.class || type == Long.class;
            schema.put("type", isNumber ? "integer" : "string");
        }
        return schema;
    }

    /** Returns the schema of a component. In OpenAPI 3.0 a reference must have no sibling members. */
    private ObjectNode schema(RecordComponent component) {
        ObjectNode plain = schema(component.getGenericType());
        if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            return plain;
        }
        if (!plain.has("$ref")) {
            return plain.put("nullable", true);
        }
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("nullable", true);
        schema.putArray("allOf").add(plain);
        return schema;
    }

    private void define(Class<?> type) {
        Class<?> other = defined.putIfAbsent(type.getSimpleName(), type);
        if (other == type) {
            return;
        } else if (other != null) {
            throw new IllegalStateException(type + " and " + other + " have one name in the description");
        }
        ObjectNode schema = schemas.putObject(type.getSimpleName()).put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (RecordComponent component : type.getRecordComponents()) {
            JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
            properties.set(named == null ? component.getName() : named.value(), schema(component));
        }
    }
}
