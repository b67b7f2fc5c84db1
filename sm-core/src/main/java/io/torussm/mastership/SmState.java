package io.torussm.mastership;

import io.torussm.mad.smp.SmInfo;

/** The state of an SM: SMInfo.SMState (IBA 14.4.1). */
public enum SmState {
    NOT_ACTIVE(SmInfo.NOT_ACTIVE),
    DISCOVERING(SmInfo.DISCOVERING),
    STANDBY(SmInfo.STANDBY),
    MASTER(SmInfo.MASTER);

    private final int code;

    SmState(int code) {
        this.code = code;
    }

    /** Returns the code in SMInfo. */
    public int code() {
        return code;
    }

    /** Returns the state in an SMInfo; NOT_ACTIVE for the values that IBA reserves. */
    public static SmState of(SmInfo info) {
        for (SmState state : values()) {
            if (state.code == info.smState()) {
                return state;
            }
        }
        return NOT_ACTIVE;
    }

    /** Returns the name as IBA spells it, such as NOT-ACTIVE. */
    @Override
    public String toString() {
        return name().replace('_', '-');
    }
}
