"""What the benchmark ran on."""

import os
import platform
import re

from contenders import psql


def first_match(file, pattern):
    with open(file, encoding="utf-8") as text:
        found = re.search(pattern, text.read(), re.M)
    return found[1] if found else "unknown"


def description(available):
    memory = int(first_match("/proc/meminfo", r"^MemTotal:\s+(\d+) kB")) / 2**20
    settings = psql("SELECT string_agg(name || ' = ' || current_setting(name), ', ' ORDER BY name) FROM pg_settings"
                    " WHERE name IN ('shared_buffers', 'fsync', 'huge_pages', 'max_worker_processes')").strip()
    versions = dict.fromkeys(c.about() for c in available.values() if c.about())
    return [f"{first_match('/proc/cpuinfo', '^model name.*: (.*)$')}, {os.cpu_count()} CPUs, {memory:.0f} GB of memory",
            f"{first_match('/etc/os-release', '^PRETTY_NAME=.(.*).$')}, Linux {platform.release()}",
            psql("SELECT version()").strip(),
            settings,
            *versions]
