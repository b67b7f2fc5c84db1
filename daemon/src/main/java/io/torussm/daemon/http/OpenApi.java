package io.torussm.daemon.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;

/** The description of {@link Resources} as OpenAPI 3.0 has it, made of their records. */
final class OpenApi {
    private final ObjectNode schemas;

    private OpenApi(ObjectNode schemas) {
        this.schemas = schemas;
    }

    /** The whole document. */
    static JsonNode of(String version, Map<String, Resources.Resource<?>> resources) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("openapi", "3.0.3");
        document.putObject("info").put("title", "TorusSM").put("version", version);
        ObjectNode paths = document.putObject("paths");
        OpenApi api = new OpenApi(document.putObject("components").putObject("schemas"));
        resources.forEach((name, resource) -> api.path(paths.putObject(Resources.ROOT + name), resource));
        return document;
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
        } else if (type == boolean.class) {
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
            properties.set(component.getName(), schema(component.getGenericType()));
        }
    }
}
