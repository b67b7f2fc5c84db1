package io.torussm.daemon.config.files;

import io.torussm.daemon.config.FileErrors;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The account under which the systemd unit runs the SM. A migration or check usually runs as root, which can read every
 * file. So the permissions of the account are computed from owners and modes of files.
 *
 * @param user name of the user
 * @param group name of the only group of the user
 */
public record ServiceAccount(String user, String group) {
    /** User of the unit. */
    public static final String USER = "torus-sm";

    /** Group of the unit. */
    public static final String GROUP = "rdma";

    /**
     * Returns the account of the unit; empty if this machine does not have it, or this process does not run as root.
     */
    public static Optional<ServiceAccount> ifRoot() {
        try {
            FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(USER);
        } catch (IOException e) {
            return Optional.empty(); // The package is not installed.
        }
        return System.getProperty("user.name").equals("root")
                ? Optional.of(new ServiceAccount(USER, GROUP))
                : Optional.empty();
    }

    /**
     * Sets the mode of a file, and the group of the service if other users cannot read the file.
     *
     * @param mode permissions in the notation of {@code ls}
     * @return remaining steps for the operator; empty if there are none
     */
    public static String grantRead(Path file, String mode) throws IOException {
        Set<PosixFilePermission> permissions = PosixFilePermissions.fromString(mode);
        Files.setPosixFilePermissions(file, permissions);
        if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
            return "";
        }
        try {
            GroupPrincipal group =
                    FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByGroupName(GROUP);
            view(file).setGroup(group);
            return "";
        } catch (IOException e) {
            return "the service cannot read it yet: chgrp " + GROUP + " " + file;
        }
    }

    /**
     * Sets the group and the mode of a file to those of another. If the file is secret, other users have no
     * permissions.
     *
     * @return remaining steps for the operator; empty if there are none
     */
    public static String copyPermissions(Path file, Path other, boolean isSecret) throws IOException {
        PosixFileAttributes attributes = view(other).readAttributes();
        Set<PosixFilePermission> permissions = attributes.permissions();
        if (isSecret && permissions.contains(PosixFilePermission.OTHERS_READ)) {
            return grantRead(file, "rw-r-----");
        }
        try {
            view(file).setGroup(attributes.group());
        } catch (IOException e) {
            return "it has not the group of " + other + ": chgrp "
                    + attributes.group().getName() + " " + file;
        }
        Files.setPosixFilePermissions(file, permissions);
        return "";
    }

    /** Returns the reason why the account cannot read a file; empty if it can, or if the file does not exist. */
    public String unreadableReason(Path file) {
        Path absolute = file.toAbsolutePath();
        try {
            for (Path directory = absolute.getParent(); directory != null; directory = directory.getParent()) {
                if (Files.exists(directory) && !isPermitted(directory, Action.ENTER)) {
                    return "user " + user + " may not enter " + directory + permissionsText(directory) + "; chmod o+x "
                            + directory;
                }
            }
            return !Files.exists(absolute) || isPermitted(absolute, Action.READ)
                    ? ""
                    : "user " + user + " cannot read " + file + permissionsText(absolute) + "; chgrp " + group + " "
                            + file + " && chmod g+r " + file;
        } catch (IOException e) {
            return file + ": " + FileErrors.describe(e);
        }
    }

    private enum Action {
        READ(PosixFilePermission.OWNER_READ, PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ),
        ENTER(PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

        private final PosixFilePermission ownerPermission;
        private final PosixFilePermission groupPermission;
        private final PosixFilePermission othersPermission;

        Action(PosixFilePermission ofOwner, PosixFilePermission ofGroup, PosixFilePermission ofOthers) {
            this.ownerPermission = ofOwner;
            this.groupPermission = ofGroup;
            this.othersPermission = ofOthers;
        }
    }

    /** Checks a permission as the kernel does: only the first matching class of owner, group and others counts. */
    private boolean isPermitted(Path path, Action action) throws IOException {
        PosixFileAttributes attributes = view(path).readAttributes();
        boolean isOwner = attributes.owner().getName().equals(user);
        boolean isOfGroup = attributes.group().getName().equals(group);
        return attributes
                .permissions()
                .contains(
                        isOwner
                                ? action.ownerPermission
                                : isOfGroup ? action.groupPermission : action.othersPermission);
    }

    private static String permissionsText(Path path) throws IOException {
        PosixFileAttributes attributes = view(path).readAttributes();
        return " (" + PosixFilePermissions.toString(attributes.permissions()) + " "
                + attributes.owner().getName() + ":" + attributes.group().getName() + ")";
    }

    private static PosixFileAttributeView view(Path path) {
        return Objects.requireNonNull(
                Files.getFileAttributeView(path, PosixFileAttributeView.class, new LinkOption[0]));
    }
}
