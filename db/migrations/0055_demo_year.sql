-- The queue in which a worker closes the earlier months of the demo. A worker of a real game doesn't listen to it.

select pgboss.create_queue('demo', '{"policy":"short","notify":true,"retryLimit":0,"expireInSeconds":3600,"deleteAfterSeconds":3600}');
