package io.torussm.daemon.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file cannot be used, in the operator's words instead of Java's, whose messages are often the file's name only. */
public final class FileErrors {
    private FileErrors() {}

    /** The end of a sentence that says which file. */
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
