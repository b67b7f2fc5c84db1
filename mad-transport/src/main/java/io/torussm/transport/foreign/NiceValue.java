package io.torussm.transport.foreign;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much less than others a thread gets of a busy processor. In Linux each thread has a nice value of its
 * own, which it may raise without any right (sched(7), setpriority(2)).
 */
public final class NiceValue {
    /**
     * Value for background work: such a thread gets a tenth of the CPU time of a thread with the default
     * value.
     */
    public static final int BACKGROUND = 10;

    private static final Logger LOG = LoggerFactory.getLogger(NiceValue.class);
    private static final boolean IS_OF_THREADS = "Linux".equals(System.getProperty("os.name"));

    private NiceValue() {}

    /**
     * Raises that of the calling thread. Where threads have none of their own, or may not, nothing changes:
     * nothing depends on it.
     *
     * @param by 0 to 19
     */
    public static void raise(int by) {
        if (!IS_OF_THREADS) {
            return;
        }
        try {
            ForeignLibrary.ofProcess()
                    .function("nice", ForeignLibrary.Parameter.INT)
                    .call(by);
        } catch (LinkageError e) {
            LOG.debug("nice: {}", e.getMessage());
        }
    }
}
