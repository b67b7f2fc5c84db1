package io.torussm.daemon.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Records as JSON: an object with their components, by the names that those have. Trees of JSON stay as they are. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .setVisibility(PropertyAccessor.ALL, JsonAutoDetect.Visibility.NONE)
            .setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .registerModule(new SimpleModule().addSerializer(Instant.class, new InstantText()));
    private static final DefaultIndenter INDENT = new DefaultIndenter("  ", "\n");
    private static final ObjectWriter PRETTY =
            MAPPER.writer(new DefaultPrettyPrinter().withObjectIndenter(INDENT).withArrayIndenter(INDENT));

    private Json() {}

    /** One document, a few words a line. */
    public static List<String> lines(Object record) {
        return text(PRETTY, record).lines().toList();
    }

    /** One document on one line. */
    public static String line(Object record) {
        return text(MAPPER.writer(), record);
    }

    /** One document on one line, UTF-8. */
    public static byte[] bytes(Object record) {
        return line(record).getBytes(StandardCharsets.UTF_8);
    }

    /** As a tree, to be put into another. */
    public static JsonNode tree(Object record) {
        return MAPPER.valueToTree(record);
    }

    private static String text(ObjectWriter writer, Object record) {
        try {
            return writer.writeValueAsString(record);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON of " + record.getClass(), e);
        }
    }

    /** As ISO 8601 has it. */
    private static final class InstantText extends JsonSerializer<Instant> {
        @Override
        public void serialize(Instant value, com.fasterxml.jackson.core.JsonGenerator out, SerializerProvider provider)
                throws IOException {
            out.writeString(value.toString());
        }
    }
}
