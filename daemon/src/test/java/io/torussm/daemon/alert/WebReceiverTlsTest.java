package io.torussm.daemon.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Alerts over https to a server whose certificate is for 127.0.0.1 and signed by itself. */
@Timeout(60)
class WebReceiverTlsTest {
    private static final char[] PASSWORD = "for this test".toCharArray();
    private static final Alert ALERT =
            new Alert("node1", 7, Instant.EPOCH, "warn", "TSM-1215", "begins", "text", Map.of(), 0);

    @TempDir
    static Path dir;

    private static final BlockingQueue<String> POSTED = new LinkedBlockingQueue<>();
    private static KeyStore serverKeys;
    private static HttpsServer server;

    @BeforeAll
    static void listen() throws Exception {
        Path file = dir.resolve("server.p12");
        Process keytool =
                new ProcessBuilder(keytool(file)).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
        serverKeys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            serverKeys.load(in, PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(serverKeys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/hook", exchange -> {
            POSTED.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterAll
    static void close() {
        server.stop(0);
    }

    @BeforeEach
    void forget() {
        POSTED.clear();
    }

    @Test
    void anAlertReachesAServerWithATrustedCertificate() throws Exception {
        new WebReceiver(address("127.0.0.1"), trusting()).deliver(ALERT);
        assertThat(POSTED).hasSize(1).first().asString().contains("\"code\":\"TSM-1215\"");
    }

    @Test
    void noAlertIsSentIfTheCertificateIsNotTrusted() {
        assertThatThrownBy(() -> new WebReceiver(address("127.0.0.1")).deliver(ALERT))
                .isInstanceOf(Receiver.Unavailable.class)
                .hasMessageContaining("certification path");
        assertThat(POSTED).isEmpty();
    }

    @Test
    void noAlertIsSentIfTheCertificateIsForAnotherHost() throws Exception {
        WebReceiver receiver = new WebReceiver(address("localhost"), trusting());
        assertThatThrownBy(() -> receiver.deliver(ALERT))
                .isInstanceOf(Receiver.Unavailable.class)
                .hasMessageContaining("localhost");
        assertThat(POSTED).isEmpty();
    }

    /** Returns the command that makes a self-signed certificate, which may sign others. */
    private static List<String> keytool(Path file) {
        String options = "-genkeypair -alias server -keyalg EC -validity 1 -dname CN=alerts -ext bc=ca:true"
                + " -ext san=ip:127.0.0.1 -storetype PKCS12";
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(options.split(" ", -1)));
        command.addAll(List.of("-keystore", file.toString(), "-storepass", new String(PASSWORD)));
        return command;
    }

    private static URI address(String host) {
        return URI.create("https://" + host + ":" + server.getAddress().getPort() + "/hook");
    }

    /** Returns a client that trusts the server's certificate. */
    private static HttpClient.Builder trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", serverKeys.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context);
    }
}
