package io.torussm.daemon.access;

/**
 * A user with access.
 *
 * @param name up to 64 letters, digits, dots, hyphens, underscores and at signs
 */
public record User(String name, Role role) {
    /** Returns the name as it is shown. */
    @Override
    public String toString() {
        return name + " (" + role.label() + ")";
    }
}
