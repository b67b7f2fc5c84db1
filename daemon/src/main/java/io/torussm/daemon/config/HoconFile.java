package io.torussm.daemon.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigSyntax;
import io.torussm.state.BoundedFile;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The reader of files in HOCON, with errors for the operator. */
public final class HoconFile {
    private static final long MAX_BYTES = 1 << 20;
    private static final String NAME = "[A-Za-z0-9_-]+";

    /** A line with a key, and names with commas that are not in quotation marks. */
    private static final Pattern NAMES = Pattern.compile("(?m)^([ \\t]*" + NAME + "[ \\t]*[=:][ \\t]*)(" + NAME
            + "(?:[ \\t]*,[ \\t]*" + NAME + ")+)(?=[ \\t]*(?:(?:#|//).*)?$)");

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{|\\+=");
    private static final double MAX_RESOLVED = 64 << 20;

    private HoconFile() {}

    /**
     * Reads a file.
     *
     * @param kind the noun for the file in errors, such as "configuration"
     * @param warnings receives a line for each key that occurs twice
     * @throws ConfigurationException if the file cannot be read, or is not HOCON; with file and line
     */
    public static Config read(Path file, String kind, Consumer<String> warnings) throws ConfigurationException {
        try {
            ConfigParseOptions syntax = ConfigParseOptions.defaults()
                    .setSyntax(ConfigSyntax.CONF)
                    .setOriginDescription(file.toString())
                    .setIncluder(new NoIncludes());
            String text = utf8(file);
            if (mayExceedLimit(text)) {
                throw new ConfigurationException(List.of(
                        file + " refers to its own values (${..}, +=) so often that they may become too large; write"
                                + " them out"));
            }
            Config config =
                    ConfigFactory.parseString(quoteNames(text), syntax).resolve(ConfigResolveOptions.defaults());
            RepeatedKeys.of(file.toString(), text).forEach(warnings);
            return config;
        } catch (StackOverflowError e) { // The parser shares no state with other code, so that it may fail like this.
            throw new ConfigurationException(List.of(file
                    + " is nested too deeply, or has a line that is too long; this is no " + kind + " of torus-sm"));
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
            String where = e.origin() == null ? file.toString() : location(e.origin());
            String message = String.valueOf(e.getMessage()).replaceFirst("^" + prefixPattern(e), "");
            throw new ConfigurationException(
                    List.of(where + ": " + message.lines().findFirst().orElse("not HOCON")));
        }
    }

    /**
     * Checks whether values may have more than {@link #MAX_RESOLVED} characters when they are resolved. n references
     * multiply the length by at most 3^(n/3), if each value refers to the previous one three times.
     */
    private static boolean mayExceedLimit(String text) {
        long references = REFERENCE.matcher(text).results().count();
        return text.length() * Math.pow(3, references / 3.0) > MAX_RESOLVED;
    }

    /**
     * The rejection of includes: the limit of the size is for a single file, and a configuration must not fetch URLs.
     */
    private static final class NoIncludes
            implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
        @Override
        public ConfigIncluder withFallback(ConfigIncluder fallback) {
            return this;
        }

        @Override
        public ConfigObject include(ConfigIncludeContext context, String name) {
            throw new ConfigException.Generic(
                    "include is not supported, write the settings of " + printable(name) + " into this file");
        }

        @Override
        public ConfigObject includeFile(ConfigIncludeContext context, File file) {
            return include(context, file.toString());
        }

        @Override
        public ConfigObject includeURL(ConfigIncludeContext context, URL address) {
            return include(context, address.toString());
        }

        @Override
        public ConfigObject includeResources(ConfigIncludeContext context, String name) {
            return include(context, name);
        }
    }

    /** Puts names with commas, as opensm.conf has them, in quotation marks: in HOCON the first comma ends a value. */
    private static String quoteNames(String text) {
        return NAMES.matcher(text).replaceAll("$1\"$2\"");
    }

    private static String utf8(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(BoundedFile.bytes(file, MAX_BYTES));
        return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    }

    /** Returns a pattern for the prefix of a message of Typesafe Config, which repeats file and line. */
    private static String prefixPattern(ConfigException e) {
        return e.origin() == null ? "" : Pattern.quote(e.origin().description() + ": ");
    }

    /** Returns file and line of an origin. */
    public static String location(ConfigOrigin origin) {
        String description = origin.description().replaceFirst(": \\d+(-\\d+)?$", "");
        return origin.lineNumber() < 0 ? description : description + ":" + origin.lineNumber();
    }

    /** Returns a text of the operator for messages: at most 60 characters, with ? for unprintable ones. */
    public static String printable(String text) {
        String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
        return shown.replaceAll("[^ -~]", "?");
    }
}
