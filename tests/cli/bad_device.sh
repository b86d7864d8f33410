tilegrade test --device tpu
