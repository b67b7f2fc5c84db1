package io.torussm.daemon.system;

/** How {@code torus-sm} ends; the numbers are part of its interface and described in docs/operator/operating.md. */
public enum ExitCode {
    /** The subnet is up ({@code --once}), or the daemon was asked to end and did. */
    OK(0),
    /**
     * {@code --once}: the sweep could not be finished; or a defect of this program; or what a command compared is not as it
     * should be.
     */
    INTERNAL_ERROR(1),
    /** The command line or the configuration file cannot be used as it is. */
    BAD_CONFIGURATION(2),
    /** {@code --once}: no engine routes the fabric; the switches keep what they had. */
    ROUTING_REFUSED(3),
    /** No port to work through: no library, no device, no permission, or the port is gone. */
    NO_PORT(4),
    /** {@code --once}: another subnet manager is master. */
    OTHER_MASTER(5),
    /** The virtual machine has an error after which nothing in memory can be trusted, or the orderly end took too long. */
    HALTED(6),
    /** {@code prove}: no credit loop, but packets are lost or groups do not hang together. */
    PACKETS_LOST(10),
    /** {@code prove}: what hosts send to each other closes a credit loop. */
    CREDIT_LOOP(11),
    /** {@code prove}: it takes packets from or to ports 0 of switches to close one. */
    CREDIT_LOOP_WITH_SWITCHES(12),
    /** {@code prove}: it takes packets of multicast groups to close one. */
    CREDIT_LOOP_WITH_GROUPS(13),
    /** {@code prove}: the certificate that was given is no proof for these files. */
    NO_PROOF(14);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    /** What the shell sees. */
    public int number() {
        return number;
    }
}
