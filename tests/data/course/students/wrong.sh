# A driver that is wrong in its path, in a count and in its form.
printf '%s\n' "path_to_goal: ['Up', 'Left']" 'cost_of_path: 3' 'nodes_expanded: 11' \
    'search_depth:3' 'running_time: 0.00188088' 'max_ram_usage: 0.07812500' 'done' > output.txt
