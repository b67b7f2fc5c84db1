package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Errors for options without effect: a result would promise more than was done. */
final class UnusedOptions {
    private UnusedOptions() {}

    /**
     * Refuses options that a command does not use.
     *
     * @param purpose an option or word that excludes them
     * @throws ConfigurationException if one of them is given
     */
    static void refuse(ParseResult parsed, String purpose, List<String> options) throws ConfigurationException {
        List<String> faults = options.stream()
                .filter(parsed::hasMatchedOption)
                .map(option -> option + " does not apply to " + purpose + ": omit it")
                .toList();
        if (!faults.isEmpty()) {
            throw new ConfigurationException(faults);
        }
    }

    /**
     * Refuses all options of a command except some of its own, and except settings.
     *
     * @param mode an option that changes what the command does; nothing is refused without it
     * @param used options that it uses
     * @throws ConfigurationException if another option is given
     */
    static void allowOnly(ParseResult parsed, String mode, String... used) throws ConfigurationException {
        if (parsed.hasMatchedOption(mode)) {
            Set<String> others = Set.copyOf(Arrays.asList(used));
            Set<String> settings = Settings.all().stream()
                    .flatMap(setting -> setting.options().stream())
                    .collect(Collectors.toSet());
            refuse(
                    parsed,
                    mode,
                    parsed.matchedOptions().stream()
                            .map(OptionSpec::longestName)
                            .filter(name -> !name.equals(mode)
                                    && !others.contains(name)
                                    && !name.equals(TorusSmCommand.FILE)
                                    && !settings.contains(name))
                            .toList());
        }
    }
}
