import { type Board, job, maxBy, namespace, of, quantileBy, rateBy } from './board.ts'

const mine = 'job=~"$job"'
const http = 'postrider_http_request_duration_seconds'
const server = 'postrider_grpc_server_duration_seconds'
const client = 'postrider_grpc_client_duration_seconds'

/** Rate, errors and durations of a service, and the resources that its processes use. */
export const service: Board = {
  uid: 'postrider-service',
  title: 'Postrider: a service',
  description: 'Requests, errors and durations by endpoint and gRPC method; CPU, memory and event loop by process.',
  variables: [namespace, job],
  rows: [
    {
      title: 'HTTP (gateway)',
      panels: [
        {
          kind: 'lines',
          title: 'Requests by endpoint',
          description:
            'If one endpoint is far above the others and above its usual rate, a client calls it in a loop; the logs contain workspace and key_id.',
          unit: 'reqps',
          queries: [{ expr: rateBy('method, route', `${http}_count`, mine), legend: '{{method}} {{route}}' }],
        },
        {
          kind: 'lines',
          title: 'Responses with 5xx',
          description:
            '503: a store or peer is unavailable; the panel “Calls to others” shows which. 500: a bug; search the logs for “request failed” by request_id.',
          unit: 'reqps',
          queries: [
            {
              expr: rateBy('route, status', `${http}_count`, `${mine}, status=~"5.."`),
              legend: '{{status}} {{route}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Duration, p99, by endpoint',
          description:
            'If all are slow, check the event loop and CPU below. If one is slow, check its calls to others, then MongoDB. Login and sign-up hash a password and take longer.',
          unit: 's',
          queries: [{ expr: quantileBy(0.99, 'method, route', http, mine), legend: '{{method}} {{route}}' }],
        },
      ],
    },
    {
      title: 'gRPC, server side',
      panels: [
        {
          kind: 'lines',
          title: 'Calls by method',
          description: 'Calls that the service receives. With good balancing every replica has the same rate.',
          unit: 'reqps',
          queries: [{ expr: rateBy('service, method', `${server}_count`, mine), legend: '{{service}}/{{method}}' }],
        },
        {
          kind: 'lines',
          title: 'Calls refused because of their caller',
          description:
            '0 in normal operation. caller: a wrong token or certificate. method: a service calls what it does not need, see grpc.denied in the logs. health: a flood of probes.',
          unit: 'reqps',
          queries: [{ expr: rateBy('reason', 'postrider_grpc_denied_total', mine), legend: '{{reason}}' }],
        },
        {
          kind: 'lines',
          title: 'Long messages refused because of the memory budget',
          description:
            'Calls that got 503 because POSTRIDER_CALL_MEMORY_MIB, or the share of their workspace, was in use. If it lasts, raise it together with the memory limit, or add replicas of intake.',
          unit: 'reqps',
          queries: [
            { expr: rateBy('instance', 'postrider_grpc_long_calls_refused_total', mine), legend: '{{instance}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Calls that failed, by code',
          description:
            'UNAVAILABLE: its store is unavailable. INTERNAL: a bug, see grpc.failed in the logs. RESOURCE_EXHAUSTED, INVALID_ARGUMENT, NOT_FOUND and similar codes are correct refusals.',
          unit: 'reqps',
          queries: [
            {
              expr: rateBy('service, method, code', `${server}_count`, `${mine}, code!="OK"`),
              legend: '{{code}} {{service}}/{{method}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Duration, p99, by method',
          description:
            'Without the network. For intake and quota nearly all of the time is spent in MongoDB; check MongoDB and the event loop below.',
          unit: 's',
          queries: [{ expr: quantileBy(0.99, 'service, method', server, mine), legend: '{{service}}/{{method}}' }],
        },
      ],
    },
    {
      title: 'Calls to others',
      panels: [
        {
          kind: 'lines',
          title: 'Calls that failed, by code',
          description:
            'UNAVAILABLE or DEADLINE_EXCEEDED from one service that itself reports fewer failures: this service has too few replicas, hangs, or cannot be reached.',
          unit: 'reqps',
          queries: [
            {
              expr: rateBy('service, method, code', `${client}_count`, `${mine}, code!="OK"`),
              legend: '{{code}} {{service}}/{{method}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Duration, p99, by method',
          description:
            'Including retries and network. If it is far above the duration that the called service reports, the cause is the network, its event loop, or calls that wait in this process.',
          unit: 's',
          queries: [{ expr: quantileBy(0.99, 'service, method', client, mine), legend: '{{service}}/{{method}}' }],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          kind: 'lines',
          title: 'CPU, in cores',
          description:
            'A process runs its code on one core. If it stays at 0.8, add replicas; a larger limit hardly helps.',
          unit: 'none',
          queries: [
            {
              expr: rateBy('job, instance', 'postrider_process_cpu_seconds_total', mine),
              legend: '{{job}} {{instance}}',
            },
          ],
          alarm: { amber: 0.8, red: 1 },
        },
        {
          kind: 'lines',
          title: 'Event loop, p99 delay',
          description:
            'Delay of all work in a process. 20 to 30 ms is the resolution of the measurement; over 250 ms see docs/runbooks/PostriderEventLoopSlow.md.',
          unit: 's',
          queries: [
            {
              expr: maxBy('job, instance', 'postrider_nodejs_eventloop_lag_p99_seconds', mine),
              legend: '{{job}} {{instance}}',
            },
          ],
          alarm: { amber: 0.1, red: 0.25 },
        },
        {
          kind: 'lines',
          title: 'Memory',
          description:
            'Resident memory. Steady growth over days is a leak; steps with the load are not. At the limit the kernel kills the process.',
          unit: 'bytes',
          queries: [
            {
              expr: maxBy('job, instance', 'postrider_process_resident_memory_bytes', mine),
              legend: '{{job}} {{instance}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Garbage collection, share of time',
          description: 'Above 10 % the heap is too small for the load; add replicas or memory.',
          unit: 'percentunit',
          queries: [
            {
              expr: rateBy('job, instance', 'postrider_nodejs_gc_duration_seconds_sum', mine),
              legend: '{{job}} {{instance}}',
            },
          ],
          alarm: { amber: 0.1, red: 0.3 },
        },
        {
          kind: 'lines',
          title: 'Open files and sockets',
          description:
            'If it grows without limit, connections are not closed. Compare it with the number of clients and peers.',
          unit: 'short',
          queries: [
            { expr: maxBy('job, instance', 'postrider_process_open_fds', mine), legend: '{{job}} {{instance}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Ready, by service',
          description:
            'Ready processes. If there are fewer than pods: docs/runbooks/PostriderPodNotReady.md. If there are none: docs/runbooks/PostriderServiceUnready.md.',
          unit: 'short',
          queries: [{ expr: `sum by (job) (${of('postrider_ready', mine)})`, legend: '{{job}}' }],
        },
        {
          kind: 'lines',
          title: 'Uptime',
          description: 'Drops to 0 at each start. If it drops repeatedly: docs/runbooks/PostriderRestarting.md.',
          unit: 's',
          queries: [
            {
              expr: `time() - ${maxBy('job, instance', 'postrider_process_start_time_seconds', mine)}`,
              legend: '{{job}} {{instance}}',
            },
          ],
        },
      ],
    },
  ],
}
