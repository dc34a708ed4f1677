done = function(summary, latency)
  io.write(string.format("REPORT %d %d %d\n", summary.requests, summary.duration, latency:percentile(99)))
end
