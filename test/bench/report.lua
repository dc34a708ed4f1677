-- wrk's script: what follows `--` on its command line is a body, sent by POST.
init = function(args)
  if args[1] ~= nil then
    wrk.method = "POST"
    wrk.body = args[1]
  end
end

done = function(summary, latency)
  io.write(string.format("REPORT %d %d %d\n", summary.requests, summary.duration, latency:percentile(99)))
end
