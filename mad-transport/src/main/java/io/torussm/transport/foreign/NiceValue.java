package io.torussm.transport.foreign;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nice value of a thread, which reduces its share of a busy processor. In Linux each thread has its own nice value,
 * which it may raise without a privilege (sched(7), setpriority(2)).
 */
public final class NiceValue {
    /** Nice value for background work: a tenth of the CPU time of a thread with the default value. */
    public static final int BACKGROUND = 10;

    private static final Logger LOG = LoggerFactory.getLogger(NiceValue.class);
    private static final boolean IS_OF_THREADS = "Linux".equals(System.getProperty("os.name"));

    private NiceValue() {}

    /**
     * Raises the nice value of the calling thread. Without support or permission, nothing changes: no code depends on
     * it.
     *
     * @param by increment, 0 to 19
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
