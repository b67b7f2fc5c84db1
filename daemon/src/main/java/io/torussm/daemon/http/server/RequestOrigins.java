package io.torussm.daemon.http.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** The check of the origin of a request: the site whose page lets a browser send it. */
final class RequestOrigins {
    private RequestOrigins() {}

    /**
     * Checks whether a request has the origin of this server. A browser adds stored credentials to requests of pages of
     * other sites, too, but it sends the origin of the page.
     */
    static boolean isSameOrigin(HttpRequest request) {
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
