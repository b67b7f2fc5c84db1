package io.torussm.daemon.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The description of {@link Resources} as OpenAPI 3.0 has it, made of their records. */
final class OpenApi {
    private static final Map<String, String> ERRORS = new TreeMap<>(Map.of(
            "400", "what is asked for makes no sense",
            "401", "no valid token or certificate",
            "403", "another role is wanted",
            "409", "it cannot be done now",
            "429", "too many wrong tokens came from this address",
            "504", "it was begun, and is not done yet"));

    private final ObjectNode schemas;

    private OpenApi(ObjectNode schemas) {
        this.schemas = schemas;
    }

    /** The whole document. */
    static JsonNode of(String version, Map<String, Resources.Resource<?>> resources, List<Operation<?>> operations) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("openapi", "3.0.3");
        document.putObject("info").put("title", "TorusSM").put("version", version);
        ObjectNode paths = document.putObject("paths");
        ObjectNode components = document.putObject("components");
        OpenApi api = new OpenApi(components.putObject("schemas"));
        resources.forEach((name, resource) -> api.path(paths.putObject(Resources.ROOT + name), resource));
        operations.forEach(each -> api.operation(paths.withObjectProperty(each.path()), each));
        if (!operations.isEmpty()) {
            secure(document, components.putObject("securitySchemes"));
        }
        return document;
    }

    /** Over HTTPS; the certificates of clients have no name in OpenAPI 3.0. */
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

    private void path(ObjectNode path, Resources.Resource<?> resource) {
        ObjectNode get = path.putObject("get");
        get.put("summary", resource.meaning());
        for (String name : new String[] {"offset", "limit"}) {
            get.withArray("parameters")
                    .addObject()
                    .put("name", name)
                    .put("in", "query")
                    .set("schema", schema(int.class));
        }
        ObjectNode page = page();
        page.withObject("properties").putObject("items").put("type", "array").set("items", schema(resource.type()));
        ObjectNode answers = get.putObject("responses");
        answers.putObject("200")
                .put("description", "a page of the list; ETag names its content")
                .putObject("content")
                .putObject(Reply.JSON)
                .set("schema", page);
        answers.putObject("503").put("description", "no subnet is up yet");
    }

    private ObjectNode page() {
        ObjectNode page = JsonNodeFactory.instance.objectNode().put("type", "object");
        ObjectNode properties = page.putObject("properties");
        Arrays.stream(Resources.Page.class.getRecordComponents())
                .filter(component -> !component.getName().equals("items"))
                .forEach(component -> properties.set(component.getName(), schema(component.getGenericType())));
        return page;
    }

    private ObjectNode schema(Type type) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        if (type instanceof ParameterizedType list
                && list.getRawType() instanceof Class<?> raw
                && Collection.class.isAssignableFrom(raw)) {
            schema.put("type", "array").set("items", schema(list.getActualTypeArguments()[0]));
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

    private void define(Class<?> type) {
        if (schemas.has(type.getSimpleName())) {
            return;
        }
        ObjectNode schema = schemas.putObject(type.getSimpleName()).put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (RecordComponent component : type.getRecordComponents()) {
            JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
            properties.set(named == null ? component.getName() : named.value(), schema(component.getGenericType()));
        }
    }
}
