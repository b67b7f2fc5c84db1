package io.torussm.daemon.http.ufm;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.http.Reply;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.RunTimePartition;
import io.torussm.partition.WellKnownGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The P_Keys in the JSON of UFM, for replies and requests. Any thread. */
public final class UfmPKeys {
    private static final int DEFAULT = 0x7fff;
    private static final int BYTES_OF_KB = 1024;

    private final SmObserver observer;

    /**
     * Members to be added, or to replace all members.
     *
     * @param membership membership of all members; null for full
     * @param memberships membership of each member; null if all have {@code membership}
     */
    public record Members(
            @Nullable String pkey,
            @Nullable List<String> guids,
            @Nullable Boolean index0,
            @JsonProperty("ip_over_ib") @Nullable Boolean ipOverIb,
            @Nullable String membership,
            @Nullable List<String> memberships,
            @JsonProperty("partition_name") @Nullable String partitionName,
            @JsonProperty("mtu_limit") @Nullable Integer mtuLimit,
            @JsonProperty("service_level") @Nullable Integer serviceLevel,
            @JsonProperty("rate_limit") @Nullable Double rateLimit) {}

    /** Members to be removed. */
    public record Removal(@Nullable String pkey, @Nullable List<String> guids) {}

    /** The QoS of a partition: MTU in KB, SL, and rate in Gb/s. */
    public record Qos(
            @Nullable String pkey,
            @JsonProperty("mtu_limit") @Nullable Integer mtuLimit,
            @JsonProperty("service_level") @Nullable Integer serviceLevel,
            @JsonProperty("rate_limit") @Nullable Double rateLimit) {}

    UfmPKeys(SmObserver observer) {
        this.observer = observer;
    }

    /**
     * Returns the reply with P_Keys.
     *
     * @param one P_Key such as {@code 0x7fff}; empty for all
     * @param withGuids true to include members that are named by GUID; members by rules for many ports are never
     *     included
     * @param withQos true to include MTU, SL and rate
     */
    Reply answer(String one, boolean withGuids, boolean withQos) {
        PartitionConf conf = observer.partitions();
        if (!one.isEmpty()) {
            PartitionConf.Partition partition =
                    one.matches("0[xX][0-9a-fA-F]{1,4}") ? conf.find(Integer.parseInt(one.substring(2), 16)) : null;
            return partition == null
                    ? Reply.text(HttpResponseStatus.NOT_FOUND, "there is no such P_Key")
                    : Reply.ok(json(conf, partition, withGuids, withQos));
        }
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        conf.partitions().forEach(each -> all.set(name(each.pKey()), json(conf, each, withGuids, withQos)));
        return Reply.ok(all);
    }

    /** Returns a P_Key in UFM's form. */
    static String name(int pKey) {
        return "0x" + Integer.toHexString(pKey);
    }

    private static ObjectNode json(
            PartitionConf conf, PartitionConf.Partition partition, boolean withGuids, boolean withQos) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        WellKnownGroup broadcast = conf.broadcast(partition.pKey());
        json.put(
                "partition",
                partition.pKey() == DEFAULT
                        ? "management"
                        : partition.name().isEmpty() ? "api_pkey_" + name(partition.pKey()) : partition.name());
        json.put("ip_over_ib", broadcast != null);
        if (withQos) {
            RunTimePartition.Qos defaults = RunTimePartition.Qos.DEFAULT;
            ObjectNode qos = json.putObject("qos_conf");
            qos.put("mtu_limit", PortInfo.mtuBytes(broadcast == null ? defaults.mtu() : broadcast.mtu()) / BYTES_OF_KB);
            qos.put("service_level", partition.sl());
            String rate = Rates.name(broadcast == null ? defaults.rate() : broadcast.rate());
            qos.put("rate_limit", Double.parseDouble(rate.split(" ", 2)[0]));
        }
        if (withGuids) {
            var guids = json.putArray("guids");
            partition.namedMembers().forEach(member -> guids.addObject()
                    .put("guid", UfmResources.guid(member.guid()))
                    .put("membership", member.membership().word())
                    .put("index0", member.isAtIndex0()));
        }
        return json;
    }
}
