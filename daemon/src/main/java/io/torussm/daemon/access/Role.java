package io.torussm.daemon.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a user may do; each may what those before it may. */
public enum Role {
    /** Look at everything. */
    READ,
    /** Ask for sweeps and routings, drain, accept the fabric that was found. */
    OPERATE,
    /** Change who may talk with whom. */
    ADMIN;

    /** All of them, as they are written. */
    static final String NAMES = Arrays.stream(values()).map(Role::label).collect(Collectors.joining(", "));

    /** Whether who has this role may do what another calls for. */
    public boolean covers(Role wanted) {
        return compareTo(wanted) >= 0;
    }

    /** As it is written in files and shown. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of a word; empty if there is none. */
    public static Optional<Role> of(String word) {
        return Arrays.stream(values()).filter(role -> role.label().equals(word)).findFirst();
    }
}
