package io.torussm.daemon.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The conversion of records to JSON: an object with the components under the same names. Components that are JSON trees
 * stay unchanged.
 */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .setVisibility(PropertyAccessor.ALL, JsonAutoDetect.Visibility.NONE)
            .setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .registerModule(new SimpleModule().addSerializer(Instant.class, new InstantText()));
    private static final int MAX_DEPTH = 8;
    private static final int MAX_STRING = 1024;
    private static final int MAX_NUMBER = 24;
    private static final DefaultIndenter INDENT = new DefaultIndenter("  ", "\n");
    private static final ObjectWriter PRETTY =
            MAPPER.writer(new DefaultPrettyPrinter().withObjectIndenter(INDENT).withArrayIndenter(INDENT));

    /** A strict reader: it rejects unknown input of a client. */
    private static final ObjectReader READER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxStringLength(MAX_STRING)
                            .maxNameLength(MAX_STRING)
                            .maxNumberLength(MAX_NUMBER)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build())
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .addModule(new SimpleModule().addDeserializer(Double.class, new FiniteNumber()))
            .build()
            .reader()
            .with(
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                    DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .without(DeserializationFeature.ACCEPT_FLOAT_AS_INT);

    private Json() {}

    /**
     * Reads a document of a client.
     *
     * @param type type of a record; a missing component is null, or zero for a primitive type
     * @throws IllegalArgumentException if the document is invalid; the message describes the error without text of the
     *     document
     */
    public static <T> T read(byte[] document, Class<T> type) {
        try {
            T value = READER.forType(type).readValue(text(document));
            if (value == null) {
                throw new IllegalArgumentException("a JSON object is wanted");
            }
            return value;
        } catch (UnrecognizedPropertyException e) {
            throw new IllegalArgumentException(
                    "a member is not known here; there are "
                            + e.getKnownPropertyIds().stream()
                                    .map(String::valueOf)
                                    .sorted()
                                    .toList(),
                    e);
        } catch (JsonMappingException e) {
            String where = e.getPath().stream()
                    .map(JsonMappingException.Reference::getFieldName)
                    .filter(Objects::nonNull)
                    .collect(Collectors.joining("."));
            throw new IllegalArgumentException(
                    "the JSON is not as it should be" + (where.isEmpty() ? "" : " at " + where), e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the JSON is not UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("this is no JSON, or too large or too deep", e);
        }
    }

    /**
     * Reads a file of the operator and reports the position of an error.
     *
     * @param type type of a record; a missing component is null, or zero for a primitive type
     * @throws IllegalArgumentException if the document is invalid; the message begins with the number of the line, as
     *     in {@code 3: }
     */
    public static <T> T readFile(byte[] document, Class<T> type) {
        try {
            T value = READER.forType(type).readValue(text(document));
            if (value == null) {
                throw new IllegalArgumentException("1: a JSON object is wanted");
            }
            return value;
        } catch (JsonMappingException e) {
            throw new IllegalArgumentException(line(e) + e.getOriginalMessage().replaceAll("[^ -~]", " "), e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    line(e) + "this is no JSON: " + e.getOriginalMessage().replaceAll("[^ -~]", " "), e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("1: the file is not UTF-8; convert it", e);
        }
    }

    /** Decodes a document strictly as UTF-8, since the parser would accept overlong forms of characters. */
    private static String text(byte[] document) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(document))
                .toString();
    }

    private static String line(JsonProcessingException e) {
        return (e.getLocation() == null ? 1 : e.getLocation().getLineNr()) + ": ";
    }

    /** Returns one document on several indented lines. */
    public static List<String> lines(Object record) {
        return text(PRETTY, record).lines().toList();
    }

    /** Returns one document on one line. */
    public static String line(Object record) {
        return text(MAPPER.writer(), record);
    }

    /** Returns one document on one line, in UTF-8. */
    public static byte[] bytes(Object record) {
        return line(record).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a tree, which may become part of another tree. */
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

    /** A deserializer of numbers that rejects those beyond double precision, such as 1e999, which would be infinite. */
    private static final class FiniteNumber extends StdScalarDeserializer<Double> {
        private static final long serialVersionUID = 1;

        FiniteNumber() {
            super(Double.class);
        }

        @Override
        public Double deserialize(JsonParser in, DeserializationContext context) throws IOException {
            if (!in.hasToken(JsonToken.VALUE_NUMBER_INT) && !in.hasToken(JsonToken.VALUE_NUMBER_FLOAT)) {
                return (Double) context.handleUnexpectedToken(Double.class, in);
            }
            double value = in.getDoubleValue();
            if (!Double.isFinite(value)) {
                context.reportInputMismatch(this, "the number is too large");
            }
            return value;
        }
    }

    /** The serializer of times as ISO 8601. */
    private static final class InstantText extends JsonSerializer<Instant> {
        @Override
        public void serialize(Instant value, com.fasterxml.jackson.core.JsonGenerator out, SerializerProvider provider)
                throws IOException {
            out.writeString(value.toString());
        }
    }

    /** Returns the components of a record that are whole numbers, by name. */
    public static Map<String, Long> numbers(Record record) {
        Map<String, Long> numbers = new TreeMap<>();
        tree(record).properties().forEach(each -> {
            if (each.getValue().isIntegralNumber()) {
                numbers.put(each.getKey(), each.getValue().longValue());
            }
        });
        return numbers;
    }
}
