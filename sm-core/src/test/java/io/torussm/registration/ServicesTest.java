package io.torussm.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.testing.SwitchableLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The limits of the registry of services, as the operator's page on limits has them, and the ends of leases. */
class ServicesTest extends RegistrationCase {
    /** Max number of changes that wait. */
    private static final int MAX_WAITING = 16_384;

    private static final long NEW_PORT = 0x9999;

    private final Services services = new Services(loop);

    private static Services.Claim claim(long port, boolean isUnbounded) {
        return new Services.Claim(port, false, isUnbounded, new byte[16], guid -> false);
    }

    private static List<Services.Registration> registrations(int count, int pKey, LongUnaryOperator registrant) {
        return LongStream.range(0, count)
                .mapToObj(i -> new Services.Registration(
                        service(i, 30).with(ServiceRecord.SERVICE_P_KEY, pKey),
                        registrant.applyAsLong(i),
                        Services.Registration.FOREVER))
                .toList();
    }

    /** Registers a service and returns the status. */
    private int register(long id, int pKey, Services.Claim claim) {
        List<Integer> statuses = new ArrayList<>();
        services.register(
                service(id, 30).with(ServiceRecord.SERVICE_P_KEY, pKey),
                claim,
                (status, record) -> statuses.add(status));
        loop.runFor(0);
        return statuses.get(0);
    }

    @Test
    void fullRegistryRefusesEveryRequester() {
        services.restore(registrations(Services.MAX_SERVICES + 1, 0xffff, i -> 1 + i / 1000), epoch);
        assertThat(services.view()).hasSize(65_536);
        assertThat(register(100_000, 0xffff, claim(NEW_PORT, true))).isEqualTo(MadStatus.SA_NO_RESOURCES);
        services.remove(one -> one.record().get(ServiceRecord.SERVICE_ID) == 7, claim(1, false), (status, gone) -> {});
        assertThat(register(100_000, 0xffff, claim(NEW_PORT, true))).isEqualTo(MadStatus.OK);
    }

    @Test
    void servicesOfTheLastRunCountForTheLimitOfAPartition() {
        services.restore(registrations(Services.MAX_SERVICES / 2 - 1, 0x8001, i -> 1 + i / 1000), epoch);
        assertThat(register(100_000, 0x8001, claim(NEW_PORT, false))).isEqualTo(MadStatus.OK);
        assertThat(register(100_001, 0x8001, claim(NEW_PORT, false))).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(register(100_001, 0x0001, claim(NEW_PORT, false))).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(register(100_001, 0x8002, claim(NEW_PORT, false))).isEqualTo(MadStatus.OK);
        assertThat(register(100_001, 0xffff, claim(NEW_PORT, false))).isEqualTo(MadStatus.OK);
    }

    @Test
    void restoredServicesCountForTheirPortUntilTheyAreForgotten() {
        services.restore(registrations(Services.MAX_PER_PORT, 0xffff, i -> HOST.guid()), epoch);
        assertThat(register(100_000, 0xffff, claim(HOST.guid(), false))).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(register(100_000, 0xffff, claim(OTHER.guid(), false))).isEqualTo(MadStatus.OK);
        services.forget();
        assertThat(services.view()).isEmpty();
        assertThat(register(100_000, 0xffff, claim(HOST.guid(), false))).isEqualTo(MadStatus.OK);
    }

    @Test
    void changesBeyondThoseThatMayWaitAreDropped() {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < MAX_WAITING; i++) {
            assertThat(services.register(
                            service(1, 30), claim(HOST.guid(), false), (status, record) -> statuses.add(status)))
                    .isTrue();
        }
        assertThat(services.register(
                        service(2, 30), claim(HOST.guid(), false), (status, record) -> statuses.add(status)))
                .isFalse();
        assertThat(services.remove(one -> true, claim(HOST.guid(), false), (status, record) -> statuses.add(status)))
                .isFalse();
        loop.runFor(0);
        assertThat(statuses).hasSize(MAX_WAITING).containsOnly(MadStatus.OK);
        assertThat(services.view()).extracting(Services.Service::record).containsExactly(service(1, 30));
    }

    @Test
    void aLeaseThatEndsNowIsNotRestored() {
        services.restore(
                List.of(
                        new Services.Registration(service(1, 30), HOST.guid(), epoch),
                        new Services.Registration(service(2, 30), HOST.guid(), epoch + 1)),
                epoch);
        assertThat(services.view()).extracting(Services.Service::record).containsExactly(service(2, 30));
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(services.view()).isEmpty();
    }

    /** Each publication is written to the disk and sent to other SMs. */
    @Test
    void theEndOfTheLeaseOfARemovedServiceHasNoEffect() {
        List<Integer> sizes = new ArrayList<>();
        services.whenPublished(all -> sizes.add(all.size()));
        register(1, 0xffff, claim(HOST.guid(), false));
        services.remove(one -> true, claim(HOST.guid(), false), (status, record) -> {});
        loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(sizes).containsExactly(1, 0);
    }

    @Test
    void aCallOnAnotherThreadIsRefusedAndChangesNothing() {
        SwitchableLoop switchable = new SwitchableLoop(loop);
        Services registry = new Services(switchable);
        registry.restore(registrations(1, 0xffff, i -> HOST.guid()), epoch);
        switchable.isInLoop = false;
        assertThatIllegalStateException().isThrownBy(() -> registry.whenPublished(all -> {}));
        assertThatIllegalStateException().isThrownBy(registry::forget);
        assertThatIllegalStateException()
                .isThrownBy(() -> registry.restore(registrations(2, 0xffff, i -> OTHER.guid()), epoch));
        switchable.isInLoop = true;
        registry.restore(List.of(), epoch);
        assertThat(registry.view()).extracting(Services.Service::registrant).containsExactly(HOST.guid());
    }
}
