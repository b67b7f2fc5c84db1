package io.torussm.daemon.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigSyntax;
import io.torussm.state.BoundedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Reads a file in HOCON, with errors in the operator's words. */
final class HoconFile {
    private static final long MAX_BYTES = 1 << 20;
    private static final String NAME = "[A-Za-z0-9_-]+";
    private static final Pattern NAMES = Pattern.compile("(?m)^([ \\t]*" + NAME + "[ \\t]*[=:][ \\t]*)(" + NAME
            + "(?:[ \\t]*,[ \\t]*" + NAME + ")+)(?=[ \\t]*(?:(?:#|//).*)?$)");

    private HoconFile() {}

    /**
     * Reads a file.
     *
     * @param kind what it is called, such as "configuration"
     * @throws ConfigurationException if it cannot be read, or is not HOCON; with file and line
     */
    static Config read(Path file, String kind) throws ConfigurationException {
        try {
            ConfigParseOptions syntax =
                    ConfigParseOptions.defaults().setSyntax(ConfigSyntax.CONF).setOriginDescription(file.toString());
            return ConfigFactory.parseString(quoted(utf8(file)), syntax).resolve(ConfigResolveOptions.defaults());
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(List.of("there is no " + kind + " file " + file));
        } catch (BoundedFile.TooLong e) {
            throw new ConfigurationException(
                    List.of(file + " is larger than 1 MiB; this is no " + kind + " of torus-sm"));
        } catch (CharacterCodingException e) {
            throw new ConfigurationException(List.of(file + " is not UTF-8 text"));
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        } catch (ConfigException e) {
            String where = e.origin() == null ? file.toString() : at(e.origin());
            String what = String.valueOf(e.getMessage()).replaceFirst("^" + prefix(e), "");
            throw new ConfigurationException(
                    List.of(where + ": " + what.lines().findFirst().orElse("not HOCON")));
        }
    }

    /** Names with commas between them, as opensm.conf has them, are one text here; to HOCON the first comma ends the value. */
    private static String quoted(String text) {
        return NAMES.matcher(text).replaceAll("$1\"$2\"");
    }

    private static String utf8(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(BoundedFile.bytes(file, MAX_BYTES));
        return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    }

    /** What Typesafe Config puts before its messages. */
    private static String prefix(ConfigException e) {
        return e.origin() == null ? "" : Pattern.quote(e.origin().description() + ": ");
    }

    /** File and line. */
    static String at(ConfigOrigin origin) {
        String description = origin.description().replaceFirst(": \\d+(-\\d+)?$", "");
        return origin.lineNumber() < 0 ? description : description + ":" + origin.lineNumber();
    }

    /** What an operator wrote, fit to be shown. */
    static String printable(String text) {
        String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
        return shown.replaceAll("[^ -~]", "?");
    }
}
