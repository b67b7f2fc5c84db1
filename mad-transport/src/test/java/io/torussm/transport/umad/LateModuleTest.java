package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A service that starts before ib_umad is loaded takes its port when it is. */
class LateModuleTest {
    private final IbUmadDouble library = new IbUmadDouble();
    private final LibIbUmad umad = new LibIbUmad(library, library.new ModuleFiles());

    @Test
    void thePortIsOpenedWhenTheModuleIsLoaded() throws ErrnoException {
        library.isModuleLoaded = false;
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> umad.open("mlx5_0", 1))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(ErrnoException.ENOENT));
        }
        library.isModuleLoaded = true;
        assertThat(umad.open("mlx5_0", 1)).isZero();
    }
}
