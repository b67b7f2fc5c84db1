package io.torussm.daemon.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The permissions of a user; each role includes the previous ones. */
public enum Role {
    /** Reads everything. */
    READ,
    /** Requests sweeps and routes, drains, and accepts the discovered fabric. */
    OPERATE,
    /** Changes partition membership. */
    ADMIN;

    /** The names of all roles, for messages. */
    static final String NAMES = Arrays.stream(values()).map(Role::label).collect(Collectors.joining(", "));

    /** Checks whether this role includes the permissions of another. */
    public boolean covers(Role wanted) {
        return compareTo(wanted) >= 0;
    }

    /** Returns the name in files and messages. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the role with a name; empty if the name is unknown. */
    public static Optional<Role> of(String word) {
        return Arrays.stream(values()).filter(role -> role.label().equals(word)).findFirst();
    }
}
