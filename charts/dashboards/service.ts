import { type Board, maxBy, of, quantileBy, rateBy } from './board.ts'
import { job, namespace } from './variables.ts'

const mine = 'job=~"$job"'
const http = 'postrider_http_request_duration_seconds'
const server = 'postrider_grpc_server_duration_seconds'
const client = 'postrider_grpc_client_duration_seconds'

/** Rate, errors and durations of a service's own work, and what its processes use for it. */
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
            'One far above the others and above itself: a client in a loop; its logs have workspace and key_id.',
          unit: 'reqps',
          queries: [{ expr: rateBy('method, route', `${http}_count`, mine), legend: '{{method}} {{route}}' }],
        },
        {
          kind: 'lines',
          title: 'Answered 5xx',
          description:
            '503 says that a store or peer is away: the panel “Calls to others” tells which. 500 is a bug: search the logs for “request failed” by request_id.',
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
            'All slow: event loop or CPU below. One slow: its calls to others, then MongoDB. Log-in and sign-up hash a password and take longer.',
          unit: 's',
          queries: [{ expr: quantileBy(0.99, 'method, route', http, mine), legend: '{{method}} {{route}}' }],
        },
      ],
    },
    {
      title: 'gRPC, as the service sees it',
      panels: [
        {
          kind: 'lines',
          title: 'Calls by method',
          description: 'What is asked of it. A service that scales well has the same for each replica.',
          unit: 'reqps',
          queries: [{ expr: rateBy('service, method', `${server}_count`, mine), legend: '{{service}}/{{method}}' }],
        },
        {
          kind: 'lines',
          title: 'Calls that failed, by code',
          description:
            'UNAVAILABLE: its store is away. INTERNAL: a bug, grpc.failed in the logs. RESOURCE_EXHAUSTED, INVALID_ARGUMENT, NOT_FOUND and the like are refusals, which are right.',
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
            'Without the network. Of intake and quota nearly all is MongoDB; look there, or at the event loop below.',
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
            'UNAVAILABLE or DEADLINE_EXCEEDED towards one service, which itself fails less: it has too few replicas, hangs, or the network between is cut.',
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
            'Repeats and network included. Far above what the service itself tells: network, its event loop, or calls waiting in ours.',
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
            'A process runs its code on one core. At 0.8 for long: more replicas; a larger limit hardly helps.',
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
            'Everything of a process waits so long. 10 to 15 ms is the resolution of the clock; over 250 ms see docs/runbooks/PostriderEventLoopSlow.md.',
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
            'Resident. Steady growth over days is a leak; steps with the load are not. Near the limit the kernel ends the process.',
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
          description: 'Over a tenth: the heap is too small for the load; more replicas or more memory.',
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
          description: 'Grows without end: connections are not closed. Compare with the number of clients and peers.',
          unit: 'short',
          queries: [
            { expr: maxBy('job, instance', 'postrider_process_open_fds', mine), legend: '{{job}} {{instance}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Ready, by service',
          description:
            'Processes that work may be sent to. Fewer than there are pods: docs/runbooks/PostriderPodNotReady.md. None: docs/runbooks/PostriderServiceUnready.md.',
          unit: 'short',
          queries: [{ expr: `sum by (job) (${of('postrider_ready', mine)})`, legend: '{{job}}' }],
        },
        {
          kind: 'lines',
          title: 'Running since',
          description: 'Falls to 0 at each start. Again and again: docs/runbooks/PostriderRestarting.md.',
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
