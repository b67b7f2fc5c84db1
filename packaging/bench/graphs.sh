# Sourced by scripts on ibsim: prints graphs that are not tori in the format of ibnetdiscover.
# shellcheck shell=bash

tree() { # PORTS: cables of a fat tree, each a line NODE PORT NODE PORT
  awk -v k="$1" 'BEGIN {
    h = k / 2
    for (p = 0; p < k; p++) for (i = 0; i < h; i++) for (j = 0; j < h; j++) {
      print "L" p * h + i, j + 1, "H" (p * h + i) * h + j, 1
      print "L" p * h + i, h + 1 + j, "M" p * h + j, i + 1
      print "M" p * h + i, h + 1 + j, "T" i * h + j, p + 1
    } }'
}

random() { # SWITCHES: three rings through all of them in random order, and a host each
  awk -v n="$1" 'BEGIN {
    srand(1)
    for (i = 0; i < n; i++) print "S" i, 7, "H" i, 1
    for (ring = 0; ring < 3; ring++) {
      for (i = 0; i < n; i++) at[i] = i
      for (i = n - 1; i > 0; i--) { j = int(rand() * (i + 1)); t = at[i]; at[i] = at[j]; at[j] = t }
      for (i = 0; i < n; i++) print "S" at[i], 2 * ring + 1, "S" at[(i + 1) % n], 2 * ring + 2
    } }'
}

topology() { # cables on standard input, a line each: prints them in the format of ibnetdiscover
  awk 'function id(name) {
      if (!(name in ids)) { ids[name] = sprintf("%016x", 2097152 + 256 * seen++); order[seen] = name }
      return (name ~ /^H/ ? "H-" : "S-") ids[name]
    }
    function end(a, p, b, q) {
      lines[a] = lines[a] sprintf("[%d]%s \"%s\"[%d]%s\n", p, a ~ /^H/ ? "(" ids[a] ")" : "", id(b), q, b ~ /^H/ ? "(" ids[b] ")" : "")
      top[a] = p > top[a] ? p : top[a]
    }
    { id($1); id($3); end($1, $2, $3, $4); end($3, $4, $1, $2) }
    END { for (i = 1; i <= seen; i++) {
      a = order[i]
      host = a ~ /^H/
      printf "vendid=0x2c9\ndevid=0xbd36\nsysimgguid=0x%s\n%sguid=0x%s%s\n", ids[a], host ? "ca" : "switch", ids[a], host ? "" : "(" ids[a] ")"
      printf "%s %d \"%s\" # \"%s\"\n%s\n", host ? "Ca" : "Switch", top[a], id(a), a, lines[a]
    } }'
}
