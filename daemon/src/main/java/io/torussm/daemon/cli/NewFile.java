package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/** Output files of commands; existing files are never overwritten. */
final class NewFile {
    /** The mode of files without secrets. */
    static final String PUBLIC_MODE = "rw-r--r--";

    private static final String EXISTS_MESSAGE = " is there already and is not overwritten";

    private NewFile() {}

    /**
     * Refuses an existing file. Called before long work whose result goes there.
     *
     * @throws ConfigurationException if there is a file or a link of this name
     */
    static void requireAbsent(Path file) throws ConfigurationException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new ConfigurationException(List.of(file + EXISTS_MESSAGE));
        }
    }

    /**
     * Writes a file that does not exist yet.
     *
     * @param mode permissions as {@code ls} shows them
     */
    static void create(Path file, byte[] content, String mode) throws ConfigurationException {
        try (WritableByteChannel out = Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)))) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                out.write(rest);
            }
        } catch (FileAlreadyExistsException e) {
            throw new ConfigurationException(List.of(file + EXISTS_MESSAGE));
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot write " + file + ": " + FileErrors.describe(e)));
        }
    }
}
