/**
 * TCP keepalive of connections to databases. After 10 silent seconds the kernel asks whether the other side is still there, and Node
 * asks every second from then on, ten times. Otherwise a connection of which the other side has forgotten, such as after a cut
 * network, would wait for its reply for ever. Without the delay the kernel would ask after two hours.
 */
export const keepAliveDelayMs = 10_000

export const keepAliveOptions = { keepAlive: true, keepAliveInitialDelayMillis: keepAliveDelayMs } as const
