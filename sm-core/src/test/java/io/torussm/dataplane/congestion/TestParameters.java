package io.torussm.dataplane.congestion;

import io.torussm.mad.congestion.CaCongestionSetting;
import io.torussm.mad.congestion.CongestionControlTable;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import java.util.List;
import java.util.stream.IntStream;

/** Settings of congestion control for tests. */
public final class TestParameters {
    public static final int ALL_VALID = 0x1f;

    private TestParameters() {}

    /** Returns a setting that marks each packet with others behind it. */
    public static SwitchCongestionSetting marking(int threshold, int packetSize, int markingRate) {
        return SwitchCongestionSetting.TYPE
                .zero()
                .with(SwitchCongestionSetting.CONTROL_MAP, ALL_VALID)
                .with(SwitchCongestionSetting.THRESHOLD, threshold)
                .with(SwitchCongestionSetting.PACKET_SIZE, packetSize)
                .with(SwitchCongestionSetting.MARKING_RATE, markingRate);
    }

    /** Returns the same setting with a mask of the given ports. */
    public static SwitchCongestionSetting withVictims(SwitchCongestionSetting setting, int... ports) {
        return setting.with(SwitchCongestionSetting.VICTIM_MASK, mask(ports));
    }

    /** Returns the same setting with credit starvation at the given ports. */
    public static SwitchCongestionSetting withStarvation(
            SwitchCongestionSetting setting, int threshold, int returnDelay, int... ports) {
        return setting.with(SwitchCongestionSetting.CREDIT_MASK, mask(ports))
                .with(SwitchCongestionSetting.CS_THRESHOLD, threshold)
                .with(SwitchCongestionSetting.CS_RETURN_DELAY, returnDelay);
    }

    private static byte[] mask(int... ports) {
        byte[] mask = new byte[32];
        for (int port : ports) {
            mask[mask.length - 1 - port / Byte.SIZE] |= (byte) (1 << port % Byte.SIZE);
        }
        return mask;
    }

    /** Returns a reaction that is the same for all SLs. */
    public static CaCongestionSetting reaction(int portControl, int timer, int increase, int trigger, int minimum) {
        byte[] bytes = new byte[CaCongestionSetting.TYPE.layout().size()];
        CaCongestionSetting.PORT_CONTROL.set(bytes, 0, portControl);
        CaCongestionSetting.CONTROL_MAP.set(bytes, 0, 0xffff);
        for (int sl = 0; sl < CaCongestionSetting.SLS; sl++) {
            CaCongestionSetting.Entry entry = CaCongestionSetting.entry(sl);
            entry.timer().set(bytes, 0, timer);
            entry.increase().set(bytes, 0, increase);
            entry.triggerThreshold().set(bytes, 0, trigger);
            entry.minimum().set(bytes, 0, minimum);
        }
        return CaCongestionSetting.TYPE.read(bytes, 0);
    }

    /** Returns a table of two blocks whose entry n delays by n times the time of a packet. */
    public static List<CongestionControlTable> linear(int limit) {
        return table(limit, 0);
    }

    /** Returns a table of two blocks whose entry n delays by n quarters of the time of a packet. */
    public static List<CongestionControlTable> quarters(int limit) {
        return table(limit, 2 << 14);
    }

    private static List<CongestionControlTable> table(int limit, int shift) {
        return List.of(
                CongestionControlTable.of(
                        limit, IntStream.range(0, 64).map(i -> shift | i).toArray()),
                CongestionControlTable.of(
                        limit, IntStream.range(64, 128).map(i -> shift | i).toArray()));
    }
}
