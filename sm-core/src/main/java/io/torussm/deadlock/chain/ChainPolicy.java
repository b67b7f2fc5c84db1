package io.torussm.deadlock.chain;

/**
 * The policy of a {@link RoutingChain} for the case that no engine has a plan that passes its check. Immutable.
 *
 * @param hasLastResort true to complete the part that an engine could route, if all engines refuse
 * @param onCreditLoop the action on tables with a credit loop
 * @param onSwitchPortLoop the action on tables whose credit loops all contain packets from or to ports 0 of switches
 */
public record ChainPolicy(boolean hasLastResort, OnCreditLoop onCreditLoop, OnCreditLoop onSwitchPortLoop) {
    /** Accepts no plan without a proof, and has no last resort. */
    public static final ChainPolicy STRICT = new ChainPolicy(false, OnCreditLoop.REFUSE);

    /** Accepts no plan without a proof, and has a last resort. */
    public static final ChainPolicy WITH_LAST_RESORT = new ChainPolicy(true, OnCreditLoop.REFUSE);

    /** Accepts plans with a credit loop, and has no last resort. */
    public static final ChainPolicy LOOPS_ACCEPTED = new ChainPolicy(false, OnCreditLoop.WARN);

    /** Creates a policy whose proof includes packets from and to ports 0 of switches. */
    public ChainPolicy(boolean hasLastResort, OnCreditLoop onCreditLoop) {
        this(hasLastResort, onCreditLoop, OnCreditLoop.REFUSE);
    }

    /**
     * Returns the policy of {@code routing_engine}: no last resort if {@link EngineNames#NO_FALLBACK} is among the
     * names.
     */
    public static ChainPolicy of(String names, OnCreditLoop onCreditLoop, OnCreditLoop onSwitchPortLoop) {
        return new ChainPolicy(!EngineNames.hasNoFallback(names), onCreditLoop, onSwitchPortLoop);
    }
}
