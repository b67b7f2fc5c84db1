package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The steps of osmtest's service flow ({@code osmtest -f s}), with whole MADs: umad2sim truncates the last 32
 * bytes of the MADs that osmtest receives, which contain the end of the service's data.
 */
class OsmtestServiceFlowTest {
    private static final ComponentMask BITS = ServiceRecord.COMPONENTS;
    private static final int ID = 0x31;
    private static final int SIZE = 176;
    private static final Gid OWN = new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(4) + 1);
    private static final Gid ZERO = new Gid(0, 0);

    private final SaHarness harness = new SaHarness(new SmallTorus());

    private SaHarness.Request register(long id, String name, long lease, Gid key) {
        return harness.request(Method.SET, ID)
                .with(BITS, ServiceRecord.SERVICE_ID, id)
                .with(BITS, ServiceRecord.SERVICE_GID, OWN)
                .with(BITS, ServiceRecord.SERVICE_LEASE, lease)
                .with(BITS, ServiceRecord.SERVICE_KEY, key)
                .with(BITS, ServiceRecord.SERVICE_NAME, name);
    }

    /** Adds the data of osmtest: each byte, word and so on has its own value. */
    private SaHarness.Request withData(SaHarness.Request request, int first) {
        int value = first;
        for (Field field : BITS.components()) {
            if (field.name().startsWith("ServiceData")) {
                request.with(BITS, field, value++);
            }
        }
        return request;
    }

    private SaHarness.Request getByName(String name) {
        return harness.get(ID).with(BITS, ServiceRecord.SERVICE_NAME, name);
    }

    private SaHarness.Request getById(long id) {
        return harness.get(ID).with(BITS, ServiceRecord.SERVICE_ID, id);
    }

    private SaHarness.Request delete(String name) {
        return harness.request(Method.DELETE, ID).with(BITS, ServiceRecord.SERVICE_NAME, name);
    }

    /** Checks that the answer has the data of the request. */
    private static void assertEchoed(SaHarness.Request request) {
        byte[] answer = request.answer();
        assertThat(MadHeader.status(answer)).isZero();
        for (Field field : BITS.components()) {
            if (field.name().startsWith("ServiceData")) {
                assertThat(field.get(answer, SaMad.DATA_OFFSET))
                        .as(field.name())
                        .isEqualTo(field.get(request.mad, SaMad.DATA_OFFSET));
            }
        }
    }

    @Test
    void passes() {
        assertThat(register(1, "infinite", ServiceRecord.FOREVER, new Gid(0, 10))
                        .with(BITS, ServiceRecord.SERVICE_P_KEY, 0xffff)
                        .status())
                .isZero();
        assertThat(register(2, "short", 4, new Gid(0, 11))
                        .with(BITS, ServiceRecord.SERVICE_P_KEY, 0xffff)
                        .status())
                .isZero();
        assertThat(register(3, "no P_Key", ServiceRecord.FOREVER, new Gid(0, 12))
                        .status())
                .isZero();
        assertEchoed(withData(register(4, "data", ServiceRecord.FOREVER, new Gid(0, 13)), 1));
        assertEchoed(withData(register(4, "data", ServiceRecord.FOREVER, new Gid(0, 13)), 100));
        assertThat(register(5, "zero key", ServiceRecord.FOREVER, ZERO).status())
                .isZero();
        assertThat(register(6, "key", ServiceRecord.FOREVER, new Gid(0, 14)).status())
                .isZero();
        assertThat(register(6, "renamed", ServiceRecord.FOREVER, new Gid(0, 15)).status())
                .isZero();

        assertThat(getByName("infinite").status()).isZero();
        assertThat(getById(1).status()).isZero();
        assertThat(getById(1).with(BITS, ServiceRecord.SERVICE_NAME, "infinite").status())
                .isZero();
        assertThat(getById(1).with(BITS, ServiceRecord.SERVICE_NAME, "short").status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(getByName("key").status()).as("replaced").isEqualTo(MadStatus.SA_NO_RECORDS);
        byte[] renamed = getByName("renamed")
                .with(BITS, ServiceRecord.SERVICE_KEY, new Gid(0, 15))
                .answer();
        assertThat(MadHeader.status(renamed)).isZero();
        assertThat(ServiceRecord.SERVICE_ID.get(renamed, SaMad.DATA_OFFSET)).isEqualTo(6);
        assertThat(getByName("renamed")
                        .with(BITS, ServiceRecord.SERVICE_KEY, new Gid(0, 14))
                        .status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
        byte[] data = getById(4).answer();
        assertThat(field("ServiceData64.2").get(data, SaMad.DATA_OFFSET))
                .as("the last bytes, of the second registration")
                .isEqualTo(129);

        assertThat(getByName("short").status()).isZero();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        assertThat(getByName("short").status()).as("its lease has ended").isEqualTo(MadStatus.SA_NO_RECORDS);

        List<String> left = List.of("infinite", "no P_Key", "data", "zero key", "renamed");
        assertThat(harness.getTable(ID).records(SIZE)).hasSize(left.size());
        for (String name : left) {
            assertThat(delete(name).status()).as(name).isZero();
            assertThat(getByName(name).status()).as(name).isEqualTo(MadStatus.SA_NO_RECORDS);
        }
        assertThat(delete("infinite").status()).as("unknown").isNotZero();
        assertThat(harness.getTable(ID).records(SIZE)).isEmpty();
    }

    private static Field field(String name) {
        return BITS.components().stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
