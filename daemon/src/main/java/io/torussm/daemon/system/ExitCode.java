package io.torussm.daemon.system;

/** The exit codes of {@code torus-sm}. The numbers are an interface, described in docs/operator/operating.md. */
public enum ExitCode {
    /** The subnet is up ({@code --once}), or the daemon ended on request. */
    OK(0),
    /** {@code --once}: the sweep failed. Otherwise a defect of this program. */
    INTERNAL_ERROR(1),
    /** A comparison by a command found differences, or a check by a command failed. The number is that of a defect. */
    CHECK_FAILED(1),
    /** The command line or the configuration file cannot be used. */
    BAD_CONFIGURATION(2),
    /** There is no usable port: no library, no device, no permission, or the port is gone. */
    NO_PORT(4),
    /** {@code --once}: another subnet manager is master. */
    OTHER_MASTER(5),
    /** An error of the virtual machine may have damaged memory, or the orderly end took too long. */
    HALTED(6),
    /**
     * {@code --once}: no engine can route the fabric, so the switches keep their tables. (Java itself exits with 3.)
     */
    ROUTING_REFUSED(7),
    /** {@code prove}: no credit loop, but packets are lost or groups are not connected. */
    PACKETS_LOST(10),
    /** {@code prove}: packets between hosts close a credit loop. */
    CREDIT_LOOP(11),
    /** {@code prove}: there is a credit loop only with packets from or to ports 0 of switches. */
    CREDIT_LOOP_WITH_SWITCHES(12),
    /** {@code prove}: there is a credit loop only with packets of multicast groups. */
    CREDIT_LOOP_WITH_GROUPS(13),
    /** {@code prove}: the certificate is no proof for the input files. */
    NO_PROOF(14);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    /** Returns the exit status for the shell. */
    public int number() {
        return number;
    }
}
