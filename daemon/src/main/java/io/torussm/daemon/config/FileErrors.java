package io.torussm.daemon.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * The reasons why a file cannot be used, for the operator. Messages of Java's exceptions are often only the name of the
 * file.
 */
public final class FileErrors {
    private FileErrors() {}

    /** Returns the reason of an exception, to follow the name of the file in a sentence. */
    public static String describe(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileAlreadyExistsException || e instanceof NotDirectoryException) {
            return "there is a file where a directory should be";
        }
        String reason = e instanceof FileSystemException system ? system.getReason() : e.getMessage();
        return reason == null || reason.isBlank() ? e.toString() : reason;
    }
}
