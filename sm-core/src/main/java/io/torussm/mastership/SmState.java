package io.torussm.mastership;

import io.torussm.mad.smp.SmInfo;

/** SMInfo.SMState (IBA 14.4.1). */
public enum SmState {
    NOT_ACTIVE(SmInfo.NOT_ACTIVE),
    DISCOVERING(SmInfo.DISCOVERING),
    STANDBY(SmInfo.STANDBY),
    MASTER(SmInfo.MASTER);

    private final int code;

    SmState(int code) {
        this.code = code;
    }

    /** As SMInfo has it. */
    public int code() {
        return code;
    }

    /** The state in an SMInfo; NOT_ACTIVE for the values that IBA reserves. */
    public static SmState of(SmInfo info) {
        for (SmState state : values()) {
            if (state.code == info.smState()) {
                return state;
            }
        }
        return NOT_ACTIVE;
    }

    /** As IBA writes it. */
    @Override
    public String toString() {
        return name().replace('_', '-');
    }
}
