package io.torussm.daemon.access;

/**
 * A user with access.
 *
 * @param name name of 1 to 64 letters, digits, dots, hyphens, underscores and at signs
 * @param role permissions
 */
public record User(String name, Role role) {
    /** Returns the name as it is shown. */
    @Override
    public String toString() {
        return name + " (" + role.label() + ")";
    }
}
