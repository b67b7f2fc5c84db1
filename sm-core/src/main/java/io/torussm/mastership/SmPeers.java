package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Messages to other SMs. Called on the loop, which is where answers come in. */
public interface SmPeers {
    /**
     * A port, as its agent describes it, which no program at its host can change.
     *
     * @param guid port GUID
     * @param isSm whether the operating system says that an SM is there (PortInfo.CapabilityMask.IsSM)
     * @param lid base LID
     * @param lmc 0 to 7
     */
    record Port(long guid, boolean isSm, int lid, int lmc) {
        boolean hasLid(int other) {
            return lid != 0 && other >> lmc == lid >> lmc;
        }
    }

    /**
     * Reads which port is at the end of a route.
     *
     * @param then called once: null if it does not answer
     */
    void identify(DrPath path, Consumer<@Nullable Port> then);

    /**
     * Reads where an SM runs.
     *
     * @param then called once
     */
    void locate(DrPath path, Consumer<SmHost> then);

    /**
     * SubnGet(SMInfo). A program answers it, which sees the whole MAD.
     *
     * @param showsKey whether the request carries the M_Key of the port
     * @param then called once unless cancelled: the answer, or null if there is none
     * @return cancels
     */
    Runnable ask(DrPath path, boolean showsKey, Consumer<@Nullable SmInfo> then);

    /**
     * SubnSet(SMInfo), with the M_Key of the port, which the program there sees.
     *
     * @param modifier 1 HANDOVER, 2 ACKNOWLEDGE
     * @param then called once: empty if it was accepted, else why not
     */
    void set(DrPath path, SmInfo self, int modifier, Consumer<String> then);

    /** Trap 144 with the SM priority flag, to the master that the local port knows. */
    void trapPriorityChange();
}
