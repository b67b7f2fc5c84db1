package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.GeneratedKeys;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.replica.Replication;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** The keys for operators: the origin of M_Key and SM_Key, and the generation of keys if none are configured. */
final class OperatorKeys {
    private final SmResources resources;
    private final LiveSettings settings;
    private final Lifetime lifetime;

    OperatorKeys(SmResources resources, LiveSettings settings, Lifetime lifetime) {
        this.resources = resources;
        this.settings = settings;
        this.lifetime = lifetime;
    }

    /** Returns the origin of the effective keys. Any thread. */
    SmControl.Keys current() {
        GeneratedKeys generated = settings.keys();
        return new SmControl.Keys(
                origin(settings.configured().sweep().mKey() != 0, generated),
                origin(!settings.configured().mastership().trust().isKeyPublic(), generated),
                generated.hasKeys() ? Instant.ofEpochSecond(generated.changedS()) : null,
                settings.options().sweep().mKey());
    }

    private static SmControl.KeyOrigin origin(boolean isConfigured, GeneratedKeys generated) {
        return isConfigured
                ? SmControl.KeyOrigin.CONFIGURED
                : generated.hasKeys() ? SmControl.KeyOrigin.GENERATED : SmControl.KeyOrigin.NONE;
    }

    /**
     * Generates keys, or removes generated ones. Any thread.
     *
     * @param isWanted true to generate keys, false to remove them
     * @return reason of a failure; empty if the file is written, and all SMs of the subnet will use the keys
     */
    Future<String> change(boolean isWanted) {
        CompletableFuture<String> result = new CompletableFuture<>();
        lifetime.execute(assembly -> {
            Replication replication = resources.replication();
            int peers = replication == null ? 0 : replication.progress().peers().size();
            int others = assembly.mastership().state().others().size();
            if (!assembly.mastership().isMaster()) {
                result.complete("this SM is not master; ask the master");
            } else if (others > peers) {
                result.complete(
                        "another SM of this subnet would not learn the keys, since replication is not connected to it;"
                                + " see replication.md, or set m_key and sm_key in the configuration of all");
            } else {
                write(next(isWanted, others + peers == 0), result);
            }
        });
        return result;
    }

    /**
     * Returns the new state of generated keys.
     *
     * @param isAlone true if no other SM must receive the keys first; they are then effective immediately
     */
    private GeneratedKeys next(boolean isWanted, boolean isAlone) {
        long nowS = Instant.now().getEpochSecond();
        long atS = isAlone ? nowS - GeneratedKeys.SHOWN_AFTER_S : nowS;
        SmOptions active = settings.options();
        return isWanted
                ? GeneratedKeys.generate(new SecureRandom(), active, atS)
                : GeneratedKeys.afterRemoval(active, atS);
    }

    private void write(GeneratedKeys next, CompletableFuture<String> result) {
        resources
                .keys()
                .change(
                        next,
                        isWritten -> result.complete(
                                isWritten
                                        ? ""
                                        : "the file keys cannot be written to the state directory; see the log"));
    }
}
