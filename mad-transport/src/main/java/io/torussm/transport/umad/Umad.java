package io.torussm.transport.umad;

import io.torussm.transport.MadFrame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The functions of libibumad that the transport uses, with plain Java values. Tests replace it by an implementation
 * that fails.
 */
interface Umad {
    /** Returns the ports of all channel adapters; empty if this process can see no adapter. */
    List<PortDescription> ports();

    /**
     * Returns the pairs of devices that form one adapter: QP0 is behind one device, QP1 behind the other.
     *
     * @return empty if the library does not support such adapters
     */
    List<Pair> pairs();

    /**
     * Returns other processes that have the devices of a port open, as far as visible: processes with the issm device,
     * or if there are none, processes with the umad device.
     */
    List<String> holders(String caName, int portNum);

    /** Returns the current PortInfo.PortState as the operating system reports it, 1 to 4; 0 if the port is absent. */
    int portState(String caName, int portNum);

    /**
     * Two devices that form one adapter, or one device twice.
     *
     * @param smi name of the device with QP0; may be empty
     * @param gsi name of the device with QP1; may be empty
     */
    record Pair(String smi, String gsi) {}

    /** Opens the MAD device of a port and returns a handle, the parameter {@code port} of other methods. */
    int open(String caName, int portNum) throws ErrnoException;

    void close(int port);

    /**
     * Registers for the MADs of a class and returns the number of the agent.
     *
     * @param methods bit n requests unsolicited MADs of method n; responses to own requests arrive without a bit
     */
    int register(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException;

    /** Registers as {@link #register}, and leaves RMPP to this process: the kernel passes each segment. */
    int registerUserRmpp(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException;

    /**
     * Registers as {@link #register}, and leaves RMPP to the kernel: a message of several segments is sent and received
     * as one.
     */
    int registerKernelRmpp(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException;

    void unregister(int port, int agent);

    /**
     * Sends one MAD, or a message that the kernel segments. Any thread may call it.
     *
     * @param responseTimeoutMs time in milliseconds after which the kernel returns a request without a response; 0 if
     *     no response is expected
     */
    void send(int port, int agent, MadFrame frame, int responseTimeoutMs) throws ErrnoException;

    /**
     * Waits for one MAD. Only one thread at a time may call it.
     *
     * @return null if no MAD arrived in time; longer than 256 bytes only if the kernel does RMPP
     */
    @Nullable
    MadFrame receive(int port, int timeoutMs) throws ErrnoException;

    /**
     * Opens the issm device of a port and returns a handle. IsSM is set while the handle is open. Fails immediately if
     * another process has the device open.
     */
    int openIsSm(String caName, int portNum) throws ErrnoException;

    void closeIsSm(int handle);
}
