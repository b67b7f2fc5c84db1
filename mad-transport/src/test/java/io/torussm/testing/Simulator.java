package io.torussm.testing;

import java.io.IOException;
import java.nio.file.Path;

/** A substitute for hardware for programs that use libibumad. */
public enum Simulator {
    /** ibsim, of OpenSM's authors. */
    IBSIM {
        @Override
        public void assumeInstalled() {
            IbSim.assumeInstalled();
        }

        @Override
        public Simulation start(Path topology) throws IOException {
            return IbSim.start(topology);
        }
    },
    /** The embedded fabric, served in the process of the test. */
    TORUS_SM {
        @Override
        public void assumeInstalled() {
            UmadClients.preloadLibrary();
        }

        @Override
        public Simulation start(Path topology) throws IOException {
            return ServedFabric.start(topology);
        }
    };

    /** Skips the test, visibly, where something is not installed that it takes. */
    public abstract void assumeInstalled();

    /** Starts it on a fabric in ibnetdiscover's format and waits until it is ready. */
    public abstract Simulation start(Path topology) throws IOException;
}
