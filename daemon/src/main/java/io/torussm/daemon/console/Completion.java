package io.torussm.daemon.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What a half-written request may go on with: as the usages of a running daemon's commands say, and as its fabric has it. */
public final class Completion {
    private static final Set<String> NODES = Set.of("SRC", "DST", "NODE");
    private static final String COMMAND = "COMMAND";
    private static final String JSON = "--json";

    private final Function<String, List<String>> ask;
    private final Map<String, String> usages = new LinkedHashMap<>();

    /**
     * Asks for the commands that there are.
     *
     * @param ask answers a request; no lines if it cannot
     */
    public Completion(Function<String, List<String>> ask) {
        this.ask = ask;
        try {
            JsonNode help = new ObjectMapper().readTree(String.join("\n", ask.apply("help " + JSON)));
            for (JsonNode command : help.path("commands")) {
                usages.put(command.path("name").asText(), command.path("usage").asText());
            }
        } catch (JsonProcessingException e) {
            usages.clear();
        }
    }

    /**
     * What may stand in the place of the last word.
     *
     * @param words of the line, the last of which is to be completed and may be empty
     */
    public List<String> candidates(List<String> words) {
        String last = words.get(words.size() - 1);
        List<String> possible = words.size() == 1 ? List.copyOf(usages.keySet()) : arguments(words, last);
        return possible.stream().filter(each -> each.startsWith(last)).toList();
    }

    private List<String> arguments(List<String> words, String last) {
        String usage = usages.getOrDefault(words.get(0), "");
        String[] tokens = usage.replaceAll("[\\[\\]]", "").split(" ", -1);
        List<String> possible = new ArrayList<>();
        if (words.size() <= tokens.length) {
            String token = tokens[words.size() - 1];
            if (NODES.contains(token)) {
                possible.addAll(names(last));
            } else if (token.equals(COMMAND)) {
                possible.addAll(usages.keySet());
            } else {
                Arrays.stream(token.split("\\|", -1))
                        .filter(word -> word.equals(word.toLowerCase(java.util.Locale.ROOT)))
                        .forEach(possible::add);
            }
        }
        possible.add(JSON);
        return possible;
    }

    private List<String> names(String prefix) {
        return Printable.is(prefix) ? ask.apply(ConsoleClient.request(List.of("names", prefix))) : List.of();
    }
}
