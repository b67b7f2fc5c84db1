package io.torussm.daemon.http.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** Whose page has a browser ask for something. */
final class RequestOrigins {
    private RequestOrigins() {}

    /**
     * Checks whether a request has the origin of this server. A browser adds a stored password to each request of a
     * page, and sends the origin of the page.
     */
    static boolean isOurs(HttpRequest request) {
        List<String> origins = request.headers().getAll(HttpHeaderNames.ORIGIN);
        if (origins.isEmpty()) {
            return true;
        }
        try {
            String authority = new URI(origins.get(0)).getAuthority();
            return origins.size() == 1
                    && authority != null
                    && authority.equalsIgnoreCase(request.headers().get(HttpHeaderNames.HOST));
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
