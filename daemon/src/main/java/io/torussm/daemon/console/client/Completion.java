package io.torussm.daemon.console.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.console.answer.Printable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The continuations of an incomplete request, from the usages of a running daemon's commands and from its fabric. */
public final class Completion {
    /** A command with its arguments. */
    private static final String ANY_COMMAND = "COMMAND...";

    private static final String JSON = "--json";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Function<String, List<String>> ask;
    private final Map<String, String> usages = new LinkedHashMap<>();

    /**
     * Requests the commands of the daemon.
     *
     * @param ask function that sends a request and returns the lines of the response; no lines on failure
     */
    public Completion(Function<String, List<String>> ask) {
        this.ask = ask;
        for (JsonNode command : document("help").path("commands")) {
            usages.put(command.path("name").asText(), command.path("usage").asText());
        }
    }

    /**
     * Returns candidates for the last word.
     *
     * @param words words of the line, the last of which is incomplete and may be empty
     */
    public List<String> candidates(List<String> words) {
        String last = words.get(words.size() - 1);
        List<String> possible = words.size() == 1 ? List.copyOf(usages.keySet()) : arguments(words, last);
        return possible.stream().filter(each -> each.startsWith(last)).toList();
    }

    private List<String> arguments(List<String> words, String last) {
        Usage usage = Usage.of(usages.getOrDefault(words.get(0), ""));
        int given = 0;
        for (int i = 1; i < words.size() - 1; i++) {
            if (usage.valued().contains(words.get(i))) {
                if (++i == words.size() - 1) {
                    return List.of();
                }
            } else if (!words.get(i).startsWith("-")) {
                if (usage.token(given).equals(ANY_COMMAND)) {
                    return candidates(words.subList(i, words.size()));
                }
                given++;
            }
        }
        return Stream.of(
                        valuesOf(usage.token(given), last),
                        usage.options().stream().filter(each -> !words.contains(each)),
                        Stream.of(JSON))
                .flatMap(each -> each)
                .toList();
    }

    private Stream<String> valuesOf(String token, String last) {
        return Arrays.stream(token.split("\\|", -1)).flatMap(each -> switch (each) {
            case "NODE", "SRC", "DST" -> names(last);
            case "COMMAND", ANY_COMMAND -> usages.keySet().stream();
            case "PARTITION" -> document("partitions").path("partitions").findValuesAsText("name").stream();
            case "GROUP" -> document("mcast").path("groups").findValuesAsText("mlid").stream();
            default -> Stream.of(each).filter(word -> !word.isEmpty() && word.equals(word.toLowerCase(Locale.ROOT)));
        });
    }

    private Stream<String> names(String prefix) {
        return Printable.isPrintable(prefix)
                ? ask.apply(ConsoleClient.request(List.of("names", prefix))).stream()
                : Stream.of();
    }

    private JsonNode document(String request) {
        try {
            return MAPPER.readTree(String.join("\n", ask.apply(request + " " + JSON)));
        } catch (JsonProcessingException e) {
            return MAPPER.createObjectNode(); // A daemon without JSON offers no continuations.
        }
    }

    /**
     * The parts of a usage.
     *
     * @param tokens words by position
     * @param options options that may occur at any position, each once
     * @param valued options with a value
     */
    private record Usage(List<String> tokens, List<String> options, List<String> valued) {
        private static final Pattern PART = Pattern.compile("\\[([^]]*)]|(\\S+)");

        private static Usage of(String text) {
            List<String> tokens = new ArrayList<>();
            List<String> options = new ArrayList<>();
            List<String> valued = new ArrayList<>();
            for (MatchResult part : PART.matcher(text).results().skip(1).toList()) {
                String inside = part.group(1) == null ? part.group(2) : part.group(1);
                String word = inside.split(" ", 2)[0];
                (word.startsWith("-") ? options : tokens).add(word);
                if (word.startsWith("-") && !word.equals(inside)) {
                    valued.add(word);
                }
            }
            return new Usage(tokens, options, valued);
        }

        private String token(int position) {
            return position < tokens.size() ? tokens.get(position) : "";
        }
    }
}
