package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.registration.Services;
import io.torussm.transport.MadAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Services: registered, found, renewed, expired and removed. The requester is host 4, unless a test changes
 * it.
 */
class ServiceRecordTest {
    private static final ComponentMask BITS = ServiceRecord.COMPONENTS;
    private static final int ID = 0x31;
    private static final int SIZE = 176;

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);

    private static Gid gid(int host) {
        return new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(host) + 1);
    }

    private SaHarness.Request request(int method, long serviceId) {
        return harness.request(method, ID)
                .with(BITS, ServiceRecord.SERVICE_ID, serviceId)
                .with(BITS, ServiceRecord.SERVICE_GID, gid(4));
    }

    private SaHarness.Request set(long serviceId, String name) {
        return request(Method.SET, serviceId).with(BITS, ServiceRecord.SERVICE_NAME, name);
    }

    private List<byte[]> named(String name) {
        return harness.getTable(ID).with(BITS, ServiceRecord.SERVICE_NAME, name).records(SIZE);
    }

    private void setRequester(int host) {
        harness.requester = new MadAddress(torus.hostLid(host), 1, 0, 0);
    }

    @Test
    void aServiceIsFoundByAnyOfItsComponents() {
        byte[] answer = set(7, "blue")
                .with(BITS, data("16.3"), 0xbeef)
                .with(BITS, data("64.2"), 0x0123_4567_89ab_cdefL)
                .answer();
        assertThat(MadHeader.method(answer)).isEqualTo(Method.GET_RESP);
        assertThat(MadHeader.status(answer)).isZero();
        byte[] stored = SaHarness.record(answer, SIZE);
        assertThat(ServiceRecord.SERVICE_P_KEY.get(stored, 0)).isEqualTo(0xffff);
        assertThat(ServiceRecord.SERVICE_LEASE.get(stored, 0)).isEqualTo(ServiceRecord.FOREVER);
        assertThat(set(8, "green").status()).isZero();

        BITS.components().stream()
                .filter(field -> !field.name().startsWith("reserved"))
                .filter(field -> !field.equals(ServiceRecord.SERVICE_GID)
                        && !field.equals(ServiceRecord.SERVICE_P_KEY)
                        && !field.equals(ServiceRecord.SERVICE_LEASE)
                        && !field.equals(ServiceRecord.SERVICE_KEY))
                .filter(field -> field.width() > 64 || field.get(stored, 0) != 0)
                .forEach(field -> assertThat(
                                harness.getTable(ID).like(BITS, field, stored).records(SIZE))
                        .as(field.name())
                        .containsExactly(stored));
        assertThat(harness.getTable(ID).records(SIZE)).hasSize(2);
        assertThat(harness.get(ID).status()).isEqualTo(MadStatus.SA_TOO_MANY_RECORDS);
        assertThat(harness.get(ID).with(BITS, ServiceRecord.SERVICE_ID, 99).status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    private static io.torussm.mad.Field data(String name) {
        return BITS.components().stream()
                .filter(field -> field.name().equals("ServiceData" + name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void registeringAgainReplacesTheWholeService() {
        set(7, "blue").with(BITS, data("8.1"), 5).answer();
        assertThat(set(7, "azure").status()).isZero();
        assertThat(named("blue")).isEmpty();
        assertThat(named("azure"))
                .singleElement()
                .satisfies(record -> assertThat(data("8.1").get(record, 0)).isZero());
    }

    @Test
    void aLeaseRunsDownAndEnds() {
        set(7, "short").with(BITS, ServiceRecord.SERVICE_LEASE, 4).answer();
        set(8, "long").with(BITS, ServiceRecord.SERVICE_LEASE, 60).answer();
        set(9, "forever").answer();
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(2500));
        assertThat(ServiceRecord.SERVICE_LEASE.get(named("short").get(0), 0)).isEqualTo(2);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(named("short")).isEmpty();
        assertThat(ServiceRecord.SERVICE_LEASE.get(named("long").get(0), 0)).isEqualTo(56);
        set(8, "long").with(BITS, ServiceRecord.SERVICE_LEASE, 60).answer();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(59));
        assertThat(named("long")).hasSize(1);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(harness.getTable(ID).records(SIZE)).hasSize(1);
        assertThat(named("forever")).hasSize(1);
    }

    @Test
    void theKeyIsComparedButShownToTheTrustedOnly() {
        Gid key = new Gid(1, 2);
        set(7, "blue").with(BITS, ServiceRecord.SERVICE_KEY, key).answer();
        byte[] found =
                harness.get(ID).with(BITS, ServiceRecord.SERVICE_KEY, key).answer();
        assertThat(MadHeader.status(found)).isZero();
        assertThat(Gid.read(found, SaMad.DATA_OFFSET + 32)).isEqualTo(new Gid(0, 0));
        assertThat(harness.get(ID)
                        .with(BITS, ServiceRecord.SERVICE_KEY, new Gid(1, 3))
                        .status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
        byte[] trusted = harness.get(ID).set(SaMad.SM_KEY, SaHarness.SM_KEY).answer();
        assertThat(Gid.read(trusted, SaMad.DATA_OFFSET + 32)).isEqualTo(key);
    }

    @Test
    void onlyTheRegistrantOrARequestWithTheKeyChangesAService() {
        Gid key = new Gid(1, 2);
        set(7, "blue").with(BITS, ServiceRecord.SERVICE_KEY, key).answer();
        setRequester(5);
        assertThat(set(7, "stolen").status()).isEqualTo(MadStatus.SA_REQ_DENIED);
        assertThat(request(Method.DELETE, 7).status()).isEqualTo(MadStatus.SA_REQ_DENIED);
        assertThat(set(7, "known").with(BITS, ServiceRecord.SERVICE_KEY, key).status())
                .isZero();
        setRequester(6);
        assertThat(request(Method.DELETE, 7).status()).isEqualTo(MadStatus.SA_REQ_DENIED);
        assertThat(request(Method.DELETE, 7).set(SaMad.SM_KEY, SaHarness.SM_KEY).status())
                .isZero();
        assertThat(harness.getTable(ID).records(SIZE)).isEmpty();
    }

    @Test
    void thePortThatAServiceNamesMayTakeItBack() {
        setRequester(5);
        set(7, "squatter's")
                .with(BITS, ServiceRecord.SERVICE_KEY, new Gid(1, 2))
                .answer();
        set(8, "squatter's").answer();
        setRequester(4);
        assertThat(set(7, "mine").status()).isZero();
        assertThat(request(Method.DELETE, 8).status()).isZero();
        setRequester(5);
        assertThat(set(7, "again").status()).isEqualTo(MadStatus.SA_REQ_DENIED);
        assertThat(named("mine")).hasSize(1);
    }

    @Test
    void aServiceIsRemovedByItsKeyOrByAnUnmistakableName() {
        set(7, "blue").answer();
        set(8, "blue").answer();
        set(9, "green").answer();
        assertThat(harness.request(Method.DELETE, ID).status()).isEqualTo(MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS);
        assertThat(request(Method.DELETE, 5).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(harness.request(Method.DELETE, ID)
                        .with(BITS, ServiceRecord.SERVICE_NAME, "blue")
                        .status())
                .isEqualTo(MadStatus.SA_TOO_MANY_RECORDS);
        byte[] removed = request(Method.DELETE, 7).answer();
        assertThat(MadHeader.method(removed)).isEqualTo(Method.DELETE_RESP);
        assertThat(MadHeader.status(removed)).isZero();
        assertThat(ServiceRecord.SERVICE_ID.get(removed, SaMad.DATA_OFFSET)).isEqualTo(7);
        assertThat(harness.request(Method.DELETE, ID)
                        .with(BITS, ServiceRecord.SERVICE_NAME, "blue")
                        .status())
                .isZero();
        assertThat(named("green")).hasSize(1);
    }

    @Test
    void aServiceIsRegisteredOnlyWithIdAndGid() {
        assertThat(harness.request(Method.SET, ID)
                        .with(BITS, ServiceRecord.SERVICE_ID, 7)
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(harness.request(Method.SET, ID)
                        .with(BITS, ServiceRecord.SERVICE_GID, gid(4))
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @Test
    void servicesOfAPartitionAreForItsMembers() {
        harness.view = torus.partitioned("Default=0x7fff: ALL=limited, SELF=full; A=0x10: "
                + String.format("0x%x=full, 0x%x=full;", gid(4).guid(), gid(5).guid()));
        assertThat(set(7, "mine")
                        .with(BITS, ServiceRecord.SERVICE_P_KEY, 0x8010)
                        .status())
                .isZero();
        assertThat(set(8, "theirs")
                        .with(BITS, ServiceRecord.SERVICE_P_KEY, 0x8020)
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(set(8, "another host's")
                        .with(BITS, ServiceRecord.SERVICE_P_KEY, 0x8000)
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
        setRequester(5);
        assertThat(named("mine")).hasSize(1);
        setRequester(6);
        assertThat(named("mine")).isEmpty();
        assertThat(request(Method.DELETE, 7).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void aServiceOfAPortInAnotherPartitionIsRefusedWithoutAPKeyToo() {
        harness.view = torus.partitioned("Default=0x7fff: ALL=limited, SELF=full; A=0x10: "
                + String.format("0x%x=full; B=0x20: 0x%x=full;", gid(5).guid(), gid(4).guid()));
        setRequester(5);
        assertThat(set(7, "placed there").status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        setRequester(4);
        assertThat(named("placed there")).isEmpty();
    }

    @Test
    void onePortCannotFillTheRegistry() {
        for (int i = 0; i < Services.MAX_PER_PORT; i++) {
            assertThat(set(i, "s").status()).isZero();
        }
        assertThat(set(Services.MAX_PER_PORT, "s").status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(set(3, "renewed").status()).isZero();
        setRequester(5);
        assertThat(set(Services.MAX_PER_PORT, "s").status()).isZero();
        setRequester(4);
        assertThat(request(Method.DELETE, 0).status()).isZero();
        assertThat(set(Services.MAX_PER_PORT + 1, "s").status()).isZero();
    }

    @Test
    void aRestoredServiceKeepsItsLeaseAndItsOwner() {
        set(7, "blue").with(BITS, ServiceRecord.SERVICE_LEASE, 10).answer();
        List<Services.Registration> saved = harness.services.view().stream()
                .map(service -> service.registration(1000, harness.loop.nowNs()))
                .toList();
        harness.services.forget();
        assertThat(named("blue")).isEmpty();
        harness.services.restore(saved, 1000);
        assertThat(named("blue")).hasSize(1);
        setRequester(5);
        assertThat(set(7, "stolen").status()).isEqualTo(MadStatus.SA_REQ_DENIED);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(11));
        assertThat(named("blue")).isEmpty();
    }
}
