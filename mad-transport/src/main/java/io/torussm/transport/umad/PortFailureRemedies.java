package io.torussm.transport.umad;

import io.torussm.transport.TransportException;
import java.util.List;

/** The messages for operators about failures of a port: cause and remedy of each errno. */
final class PortFailureRemedies {
    private static final String RIGHTS = "run as root, or as a user that may read and write /dev/infiniband/"
            + " (group rdma, or a udev rule for umad* and issm*)";

    private static final String MORE_FILES =
            "; this process may open too few files and connections: raise ulimit -n, or LimitNOFILE of the unit";

    private PortFailureRemedies() {}

    static String noNativeCode(LinkageError cause) {
        return "the native part of jnr-ffi cannot be loaded (" + reason(cause) + "); it is unpacked to "
                + System.getProperty("jffi.extract.dir", System.getProperty("java.io.tmpdir"))
                + ", which must be writable and not mounted noexec: choose another directory with"
                + " -Djffi.extract.dir=DIR";
    }

    static String noLibrary(String name, LinkageError cause) {
        return "libibumad cannot be loaded as " + name + " (" + reason(cause)
                + "); install libibumad3 (Debian, Ubuntu: apt install libibumad3; RHEL, SUSE: libibumad), version 3 is"
                + " needed";
    }

    static String noPorts() {
        return "no InfiniBand channel adapter on this host (nothing in /sys/class/infiniband); check lspci and that the"
                + " driver is loaded, then: modprobe ib_umad";
    }

    static TransportException open(PortDescription port, ErrnoException cause) {
        String message = "cannot open the MAD device of " + port + " (" + cause.getMessage() + ")";
        return switch (cause.errno()) {
            case ErrnoException.EPERM, ErrnoException.EACCES -> new TransportException(message + "; " + RIGHTS, cause);
            case ErrnoException.EMFILE -> new TransportException(message + MORE_FILES, cause);
            default ->
                new PortNotReadyException(
                        message + "; /dev/infiniband/umad* must exist: modprobe ib_umad, and in a container pass the"
                                + " devices in (--device=/dev/infiniband)",
                        cause);
        };
    }

    /**
     * Returns the failure of a registration.
     *
     * @param holders processes that have the port open
     */
    static TransportException register(
            PortDescription port, String purpose, ErrnoException cause, List<String> holders) {
        String message = "cannot register for " + purpose + " on " + port + " (" + cause.getMessage() + ")";
        return switch (cause.errno()) {
            case ErrnoException.EPROTONOSUPPORT ->
                new TransportException(
                        message
                                + "; this port lacks the queue pair for it, no other program is in the way: a virtual"
                                + " function and the data half of a multi-plane adapter have no QP0, the management half has"
                                + " no QP1. Choose the physical port (ibstat lists them); adapters in two halves need"
                                + " libibumad of rdma-core 56 or later, which shows which belong together",
                        cause);
            case ErrnoException.EPERM, ErrnoException.EACCES ->
                new TransportException(
                        message + "; another subnet manager runs on this port" + joinHolders(holders)
                                + " (stop it: systemctl stop opensm), or rights are missing: " + RIGHTS,
                        cause);
            default ->
                new TransportException(
                        message + "; another subnet manager runs on this port" + joinHolders(holders)
                                + ": stop it (systemctl stop opensm), or choose another port",
                        cause);
        };
    }

    /**
     * Returns the failure to set IsSM, for which the process opens the issm device.
     *
     * @param holders processes that have the port open
     */
    static TransportException refusedSm(PortDescription port, ErrnoException cause, List<String> holders) {
        String message = "cannot set IsSM of " + port + " (" + cause.getMessage() + ")";
        return switch (cause.errno()) {
            case ErrnoException.EAGAIN, ErrnoException.EBUSY ->
                new TransportException(
                        message + "; another process holds it" + joinHolders(holders)
                                + ": stop the other subnet manager of this port (fuser /dev/infiniband/issm*)",
                        cause);
            case ErrnoException.EPERM, ErrnoException.EACCES -> new TransportException(message + "; " + RIGHTS, cause);
            case ErrnoException.EMFILE -> new TransportException(message + MORE_FILES, cause);
            default ->
                new TransportException(
                        message
                                + "; /dev/infiniband/issm* must exist: modprobe ib_umad, and in a container pass the devices"
                                + " in",
                        cause);
        };
    }

    private static String joinHolders(List<String> holders) {
        return holders.isEmpty() ? "" : " (" + String.join("; ", holders) + ")";
    }

    static String receive(PortDescription port, ErrnoException cause) {
        return port.identity() + " cannot receive any more (" + cause.getMessage()
                + "): the adapter was removed or reset, its driver unloaded, or the adapter moved to another network"
                + " namespace (rdma dev set)";
    }

    /**
     * Returns the first line of the innermost message, in which the loader of libraries names the file and the reason.
     */
    private static String reason(Throwable failure) {
        Throwable innermost = failure;
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            innermost = cause;
        }
        return String.valueOf(innermost.getMessage()).lines().findFirst().orElse("no reason given");
    }
}
