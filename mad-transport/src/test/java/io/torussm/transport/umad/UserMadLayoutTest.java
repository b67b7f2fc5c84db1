package io.torussm.transport.umad;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.Programs;
import io.torussm.transport.MadAddress;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the declared offsets with the offsets of the C compiler. */
class UserMadLayoutTest {
    private static final String Q_KEY = "QP1_Q_KEY";
    private static final Map<String, String> C_NAMES = new LinkedHashMap<>();

    static {
        C_NAMES.put("STATUS", "offsetof(struct ib_user_mad, status)");
        C_NAMES.put("LENGTH", "offsetof(struct ib_user_mad, length)");
        C_NAMES.put("QPN_BE", "offsetof(struct ib_user_mad, addr.qpn)");
        C_NAMES.put("QKEY_BE", "offsetof(struct ib_user_mad, addr.qkey)");
        C_NAMES.put("LID_BE", "offsetof(struct ib_user_mad, addr.lid)");
        C_NAMES.put("SL", "offsetof(struct ib_user_mad, addr.sl)");
        C_NAMES.put("PATH_BITS", "offsetof(struct ib_user_mad, addr.path_bits)");
        C_NAMES.put("GRH_PRESENT", "offsetof(struct ib_user_mad, addr.grh_present)");
        C_NAMES.put("GID_INDEX", "offsetof(struct ib_user_mad, addr.gid_index)");
        C_NAMES.put("HOP_LIMIT", "offsetof(struct ib_user_mad, addr.hop_limit)");
        C_NAMES.put("TRAFFIC_CLASS", "offsetof(struct ib_user_mad, addr.traffic_class)");
        C_NAMES.put("GID_BE", "offsetof(struct ib_user_mad, addr.gid)");
        C_NAMES.put("FLOW_LABEL_BE", "offsetof(struct ib_user_mad, addr.flow_label)");
        C_NAMES.put("PKEY_INDEX", "offsetof(struct ib_user_mad, addr.pkey_index)");
        C_NAMES.put("DATA", "offsetof(struct ib_user_mad, data)");
        C_NAMES.put("PORT_NUM", "offsetof(umad_port_t, portnum)");
        C_NAMES.put("PORT_BASE_LID", "offsetof(umad_port_t, base_lid)");
        C_NAMES.put("PORT_STATE", "offsetof(umad_port_t, state)");
        C_NAMES.put("PORT_GUID_BE", "offsetof(umad_port_t, port_guid)");
        C_NAMES.put("PORT_LINK_LAYER", "offsetof(umad_port_t, link_layer)");
        C_NAMES.put("PORT_SIZE", "sizeof(umad_port_t)");
        C_NAMES.put("PAIR_SMI", "offsetof(struct umad_ca_pair, smi_name)");
        C_NAMES.put("PAIR_GSI", "offsetof(struct umad_ca_pair, gsi_name)");
        C_NAMES.put("PAIR_SIZE", "sizeof(struct umad_ca_pair)");
        C_NAMES.put("REG_CLASS", "offsetof(struct umad_reg_attr, mgmt_class)");
        C_NAMES.put("REG_VERSION", "offsetof(struct umad_reg_attr, mgmt_class_version)");
        C_NAMES.put("REG_FLAGS", "offsetof(struct umad_reg_attr, flags)");
        C_NAMES.put("REG_METHODS", "offsetof(struct umad_reg_attr, method_mask)");
        C_NAMES.put("REG_RMPP_VERSION", "offsetof(struct umad_reg_attr, rmpp_version)");
        C_NAMES.put("REG_SIZE", "sizeof(struct umad_reg_attr)");
        C_NAMES.put("NAME_SIZE", "UMAD_CA_NAME_LEN");
        C_NAMES.put("USER_RMPP", "UMAD_USER_RMPP");
    }

    @Test
    void agreesWithTheCompiler(@TempDir Path directory) throws Exception {
        Assumptions.assumeTrue(
                Files.exists(Path.of("/usr/include/infiniband/umad.h")),
                "umad.h is not installed; apt-get install libibumad-dev libc6-dev brings what it needs");
        StringBuilder source = new StringBuilder("""
                #include <stddef.h>
                #include <stdio.h>
                #include <infiniband/umad.h>
                #include <infiniband/umad_types.h>
                int main(void) {
                """);
        Map<String, String> compared = new LinkedHashMap<>(C_NAMES);
        if (!Files.readString(Path.of("/usr/include/infiniband/umad.h")).contains("struct umad_ca_pair")) {
            compared.keySet().removeIf(name -> name.startsWith("PAIR_")); // rdma-core before 56
        }
        compared.put(Q_KEY, "(int) UMAD_QKEY");
        compared.forEach((name, c) -> source.append("printf(\"")
                .append(name)
                .append(" %ld\\n\", (long) ")
                .append(c)
                .append(");\n"));
        Files.writeString(directory.resolve("probe.c"), source.append("return 0;\n}\n"));
        run(directory, Programs.requireProgram("gcc"), "-o", "probe", "probe.c");
        String output = run(directory, directory.resolve("probe").toString());

        assertThat(output.lines()).hasSize(compared.size());
        for (String line : output.lines().toList()) {
            String[] nameAndValue = line.split(" ", 2);
            assertThat(declaredOffset(nameAndValue[0]))
                    .as(nameAndValue[0])
                    .isEqualTo(Integer.parseInt(nameAndValue[1]));
        }
    }

    @Test
    void leavesNoOffsetUncompared() {
        assertThat(UserMad.class.getDeclaredFields())
                .extracting(Field::getName)
                .containsExactlyInAnyOrderElementsOf(C_NAMES.keySet());
    }

    private static int declaredOffset(String name) throws ReflectiveOperationException {
        return name.equals(Q_KEY)
                ? MadAddress.QP1_Q_KEY
                : UserMad.class.getDeclaredField(name).getInt(null);
    }

    private static String run(Path directory, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
