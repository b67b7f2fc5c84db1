# Directed routes from a host to all switches of a topology of ibsim, the nearest first: egress ports separated by commas, a line each.
# usage: awk -v from=HOST -f routes.awk TOPOLOGY
match($0, /^(Switch|Ca)[^"]*"/) { split($0, quoted, "\""); node = quoted[2]; isSwitch[node] = /^Switch/; next }
match($0, /^\[[0-9]+\]/) {
  port = substr($0, 2, RLENGTH - 2) + 0
  split($0, quoted, "\"")
  far[node, port] = quoted[2]
  if (port > ports[node]) ports[node] = port
}
END {
  queue[count = 1] = from
  seen[from] = 1
  for (i = 1; i <= count; i++) {
    at = queue[i]
    if (isSwitch[at]) print substr(path[at], 2)
    for (port = 1; port <= ports[at]; port++) {
      to = far[at, port]
      if (to == "" || to in seen) continue
      seen[to] = 1
      path[to] = path[at] "," port
      if (isSwitch[to]) queue[++count] = to
    }
  }
}
