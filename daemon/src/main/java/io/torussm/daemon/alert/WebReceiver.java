package io.torussm.daemon.alert;

import io.torussm.daemon.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A web server to which each alert is posted as JSON. Status 200 to 299: accepted; 408, 429 and from 500 on,
 * or no response: try again; any other: refused. Redirects are not followed, and the content of responses is
 * discarded.
 */
final class WebReceiver implements Receiver {
    private final URI address;
    private final HttpClient client;

    /** Creates a receiver over https, with the certificates that the JVM trusts. */
    WebReceiver(URI address) {
        this(address, HttpClient.newBuilder());
    }

    /** @param tls builder with the settings of HTTPS */
    WebReceiver(URI address, HttpClient.Builder tls) {
        this.address = address;
        this.client = tls.connectTimeout(Duration.ofSeconds(TIMEOUT_S))
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    /** Returns the address without its path. The path is a secret of many services. */
    @Override
    public String name() {
        return address.getPort() < 0 ? address.getHost() : address.getHost() + ":" + address.getPort();
    }

    @Override
    public void deliver(Alert alert) throws Unavailable, Refused, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(alert)))
                .build();
        CompletableFuture<HttpResponse<Void>> answer =
                client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
        try {
            checkStatus(answer.get(TIMEOUT_S, TimeUnit.SECONDS).statusCode());
        } catch (ExecutionException e) {
            throw new Unavailable(reason(e));
        } catch (TimeoutException e) {
            throw new Unavailable("no answer within " + TIMEOUT_S + " s");
        } finally {
            answer.cancel(true);
        }
    }

    /** Returns the text of an exception. Some exceptions of the network have no message. */
    private static String reason(ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private static void checkStatus(int status) throws Unavailable, Refused {
        if (status == 408 || status == 429 || status >= 500) {
            throw new Unavailable("it answered with status " + status);
        } else if (status < 200 || status > 299) {
            throw new Refused("it answered with status " + status);
        }
    }
}
